import type { JsonValue } from '../../../src/util/json.js';
import type { Random } from './random.js';

/** What really happened: the truth that every recording of it is compared with. */
export interface Conversation {
  readonly turns: readonly Turn[];
}

export interface Turn {
  readonly user: string;
  readonly rounds: readonly Round[];
  readonly answer: string;
}

/** One step of the model that calls tools, and their results. */
export interface Round {
  readonly text: string | null;
  readonly calls: readonly ToolCall[];
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: JsonValue;
  readonly result: JsonValue;
  readonly isError: boolean;
}

/** What a Behavior says, without its provenance. */
export interface Step {
  readonly actor: string;
  readonly action: string;
  readonly target?: string;
  readonly content?: JsonValue;
  readonly with?: JsonValue;
}

const userTexts = [
  'yes',
  'no, the other one',
  'I want a refund for order 1234, please',
  'I want a refund for order 1234, please. It arrived broken',
  'please look at all of my orders of the last month',
  'thanks',
] as const;
const answers = [
  'ok',
  'Done.',
  'Your order 1234 was refunded, the money arrives within five days',
  'Could you tell me which order you mean? I see several of them',
  'ok',
] as const;
const remarks = ['Let me check that', 'One moment, I am looking at your order now', 'ok'] as const;
const tools = ['get_order', 'create_refund', 'search'] as const;

/** One to four turns, no to three tool rounds each, one to three parallel calls; few texts, often repeated. */
export function randomConversation(random: Random): Conversation {
  let calls = 0;
  const nextId = () => {
    calls += 1;
    return `call_${calls.toString(36).padStart(6, 'x')}`;
  };
  const turns = Array.from({ length: random.integer(1, 4) }, () => ({
    user: random.pick(userTexts),
    rounds: Array.from({ length: random.integer(0, 3) }, () => randomRound(random, nextId)),
    answer: random.pick(answers),
  }));
  return { turns };
}

function randomRound(random: Random, nextId: () => string): Round {
  return {
    text: random.chance(0.4) ? random.pick(remarks) : null,
    calls: Array.from({ length: random.integer(1, 3) }, () => randomCall(random, nextId())),
  };
}

function randomCall(random: Random, id: string): ToolCall {
  const name = random.pick(tools);
  const order = random.integer(1, 3);
  const isError = random.chance(0.1);
  return {
    id,
    name,
    args: { order, note: random.pick(['', 'broken on arrival, the customer sent a photo']) },
    result: isError ? `order ${order} not found` : { order, status: random.pick(['paid', 'sent']) },
    isError,
  };
}

/** The list that a reconstruction must give. */
export function expectedSteps(conversation: Conversation): readonly Step[] {
  return conversation.turns.flatMap((turn) => [
    { actor: 'user', action: 'says', content: turn.user },
    ...turn.rounds.flatMap(stepsOfRound),
    { actor: 'assistant', action: 'responds', content: turn.answer },
  ]);
}

function stepsOfRound({ text, calls }: Round): readonly Step[] {
  return [
    ...(text === null ? [] : [{ actor: 'assistant', action: 'responds', content: text }]),
    ...calls.map(({ name, args }) => ({
      actor: 'assistant',
      action: 'calls',
      target: name,
      with: args,
    })),
    ...calls.map(({ name, result }) => ({
      actor: 'tool',
      action: 'responds',
      target: name,
      content: result,
    })),
  ];
}
