import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { grade } from '../../src/index.js';
import { expectations, statedLosses } from './expectations.js';

const projectRoot = fileURLToPath(new URL('../../', import.meta.url));

describe('the main job on recordings of the Vercel AI SDK 7', () => {
  it.each(expectations)('$variant by $document ends with exit code $exitCode', async (expected) => {
    for (const encoding of ['json', 'pb']) {
      const report = await grade({
        recordings: [`fixtures/recordings/ai-sdk-7/${expected.variant}.otlp.${encoding}`],
        specs: [`fixtures/documents/${expected.document}`],
        cwd: projectRoot,
      });
      const [unit, ...others] = report.units;
      expect(others).toEqual([]);
      const notPassed = unit?.evaluations
        .filter(({ verdict }) => verdict !== 'pass')
        .map(({ title, verdict }) => [title, verdict]);
      expect({
        exitCode: report.exitCode,
        conformance: unit?.conformance,
        notPassed: Object.fromEntries(notPassed ?? []),
        complete: unit?.complete,
      }).toEqual({
        exitCode: expected.exitCode,
        conformance: expected.conformance,
        notPassed: expected.notPassed,
        complete: true,
      });
    }
  });

  it('a failed rule names its witness and its place; a missing judge says what to configure', async () => {
    const bad = await gradeOne('handoff', 'refund.abs.yaml');
    const never = bad?.evaluations.find(({ type }) => type === 'never');
    expect(never?.line).toBe(87);
    expect(never?.rule).toBe('/evaluations/4');
    expect(never?.witness).toHaveLength(1);

    const judged = await gradeOne('good', 'refund-judged.abs.yaml');
    const questions = judged?.evaluations.filter(({ type }) => type === 'llm_judge') ?? [];
    expect(questions.map(({ code }) => code)).toEqual([
      'adapter.not_configured',
      'adapter.not_configured',
    ]);
    for (const { reason } of questions) expect(reason).toMatch(/adapter/);
  });
});

describe('the refund documents give the same verdicts in every dialect, or state the loss', () => {
  const sdks = readdirSync(`${projectRoot}fixtures/recordings`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

  it.each(sdks)('%s', async (sdk) => {
    const recorded = new Set(readdirSync(`${projectRoot}fixtures/recordings/${sdk}`));
    for (const expected of expectations) {
      if (!recorded.has(`${expected.variant}.otlp.json`)) continue;
      const unit = await gradeOne(expected.variant, expected.document, sdk);
      const verdicts = unit?.evaluations.map(({ title, verdict }) => [title, verdict]);
      const notPassed = {
        ...expected.notPassed,
        ...statedLosses[`${sdk}/${expected.variant}`],
      };
      const wanted = unit?.evaluations.map(({ title }) => [
        title,
        notPassed[title ?? ''] ?? 'pass',
      ]);
      expect({ variant: expected.variant, verdicts }).toEqual({
        variant: expected.variant,
        verdicts: wanted,
      });
    }
  });
});

async function gradeOne(variant: string, document: string, sdk = 'ai-sdk-7') {
  const report = await grade({
    recordings: [`fixtures/recordings/${sdk}/${variant}.otlp.json`],
    specs: [`fixtures/documents/${document}`],
    cwd: projectRoot,
  });
  return report.units[0];
}
