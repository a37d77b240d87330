import type { Explanation } from '../model/explanation.js';
import { jsonText } from '../util/json-text.js';
import { behaviorToJson, lossToJson } from './behavior-json.js';
import { diagnosticToJson } from './report-json.js';

/** `explain --format json` (contract.md §3), one unit per line. */
export function* renderExplanationJson(explanation: Explanation): Generator<string> {
  yield '{"units":[';
  let separator = '\n';
  for (const { unit, diagnostics } of explanation.units) {
    const entry = {
      id: unit.id,
      kind: unit.kind,
      traceIds: unit.traceIds,
      complete: unit.complete,
      behaviors: unit.behaviors.map(behaviorToJson),
      losses: unit.losses.map(lossToJson),
      diagnostics: diagnostics.map(diagnosticToJson),
    };
    yield separator + jsonText(entry);
    separator = ',\n';
  }
  yield ']}\n';
}
