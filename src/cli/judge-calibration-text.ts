import type {
  Calibration,
  CalibrationCase,
  CalibrationGroup,
} from '../pipeline/judge-calibrate.js';
import { shorten } from '../util/text.js';

/** Cases that are listed one by one; the rest are counted. */
const mostListed = 20;

/** A calibration for people, as lines of text. */
export function calibrationText({ groups }: Calibration): string {
  return groups.map(groupText).join('\n');
}

function groupText(group: CalibrationGroup): string {
  const { type, adapter, model, threshold, labelled, count, agreement, kappa, confusion } = group;
  const { suggestion, undecided, disagreements, costUsd, medianLatencyMs } = group;
  const better =
    suggestion !== null && suggestion.threshold !== threshold
      ? `threshold ${number(suggestion.threshold)} would agree on ${percent(suggestion.agreement)}, kappa ${number(suggestion.kappa)}`
      : suggestion === null
        ? 'none: no threshold agrees better than chance'
        : `keep ${number(threshold)}`;
  const lines = [
    `${type}, ${adapter}${model === null ? '' : ` (${model})`}, threshold ${number(threshold)}`,
    `  judged       ${count} of ${labelled}`,
    `  agreement    ${percent(agreement)}`,
    `  kappa        ${number(kappa)}`,
    `  confusion    label pass: ${confusion.truePass} pass, ${confusion.falseFail} fail`,
    `               label fail: ${confusion.falsePass} pass, ${confusion.trueFail} fail`,
    `  suggestion   ${better}`,
    `  cost         ${costUsd === null ? 'unknown' : `$${costUsd.toFixed(6)}`}, median latency ${number(medianLatencyMs)} ms`,
    ...listCases('disagreement', disagreements),
    ...listCases('not judged', undecided),
  ];
  return `${lines.join('\n')}\n`;
}

function listCases(title: string, cases: readonly CalibrationCase[]): readonly string[] {
  const listed = cases.slice(0, mostListed).map(({ line, label, score, reason }) => {
    const seen = score === null ? '' : `, score ${number(score)}`;
    return `  ${title}  line ${line}: label ${label}${seen}: ${shorten(reason, 100)}`;
  });
  const rest = cases.length - listed.length;
  return rest > 0 ? [...listed, `  ${title}  and ${rest} more`] : listed;
}

function percent(share: number | null): string {
  return share === null ? '-' : `${(share * 100).toFixed(1)} %`;
}

function number(value: number | null): string {
  return value === null ? '-' : String(Number(value.toFixed(3)));
}
