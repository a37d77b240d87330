/** How much of a value was seen. `absent`: never recorded; `redacted`: hidden by a placeholder. */
export type Completeness = 'present' | 'absent' | 'truncated' | 'redacted';

/**
 * Something that happened and cannot be seen in the unit, or was set aside on the way to the Behaviors.
 * Closed list; grows by a row of `lossTable`.
 */
export type LossKind = keyof typeof lossTable;

/**
 * What a loss of each kind may hide.
 *
 * `behaviors`: whole Behaviors could be missing, so "not seen" proves nothing.
 * `values`: only content or arguments are affected; the Behaviors concerned carry it in their evidence.
 * `nothing`: told for information (a duplicate set aside, a retry folded); evidence is whole.
 *
 * Both `behaviors` and `values` make a unit incomplete (semantics decision 3); a rule is weakened only
 * by what it reads.
 */
export const lossTable = {
  span_rejected: { hides: 'behaviors', text: 'a span was refused at the door' },
  orphan_span: { hides: 'behaviors', text: 'the parent of a span was not received' },
  several_roots: { hides: 'behaviors', text: 'the trace has more than one top span' },
  limit_reached: { hides: 'behaviors', text: 'a limit cut the unit' },
  recording_truncated: { hides: 'behaviors', text: 'the recording breaks off' },
  dropped_attributes: { hides: 'behaviors', text: 'the SDK dropped attributes of a span' },
  dropped_events: { hides: 'behaviors', text: 'the SDK dropped events of a span' },
  messages_unreadable: { hides: 'behaviors', text: 'messages of a model call could not be parsed' },
  calls_not_recorded: {
    hides: 'behaviors',
    text: 'a model call says that it called tools and does not show which',
  },
  dialect_unread: {
    hides: 'behaviors',
    text: 'spans of an agent are in a vocabulary that cannot be read yet',
  },
  tool_name_missing: { hides: 'behaviors', text: 'a tool span does not name its tool' },
  history_omitted: { hides: 'behaviors', text: 'the instrumentation left out older messages' },
  content_not_captured: {
    hides: 'nothing',
    text: 'content capture was off; names and order stand',
  },
  value_truncated: { hides: 'values', text: 'a value was cut' },
  value_redacted: { hides: 'values', text: 'a value was hidden by a placeholder' },
  value_unparsable: { hides: 'values', text: 'a value is not the JSON it should be; kept as text' },
  model_error: { hides: 'nothing', text: 'a model call failed' },
  model_attempts: { hides: 'nothing', text: 'a model call was retried; the attempts are folded' },
  tool_attempts: { hides: 'nothing', text: 'a tool span repeats a call; the attempts are folded' },
  duplicate_span: { hides: 'nothing', text: 'a span was received more than once' },
  conflicting_span: {
    hides: 'nothing',
    text: 'two different spans share an id; the later end is kept',
  },
  double_instrumentation: {
    hides: 'nothing',
    text: 'several spans record the same call; one is kept',
  },
  superseded: {
    hides: 'nothing',
    text: 'a branch of the conversation was abandoned and regenerated',
  },
  compacted: { hides: 'nothing', text: 'the conversation was compacted' },
  delta_input: { hides: 'nothing', text: 'a model call carries only new messages' },
  inferred_order: { hides: 'nothing', text: 'an order rests on clocks or span ids only' },
  bad_structure: { hides: 'nothing', text: 'parents form a cycle; the cycle was cut' },
} as const satisfies Record<string, { hides: 'behaviors' | 'values' | 'nothing'; text: string }>;

export interface Loss {
  readonly kind: LossKind;
  readonly count: number;
  readonly detail: string;
}
