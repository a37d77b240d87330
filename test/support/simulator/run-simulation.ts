import type { Unit } from '../../../src/model/behavior.js';
import type { Recording } from '../facts.js';
import { describeSteps, rebuild } from '../rebuild.js';
import { type Conversation, expectedSteps, randomConversation } from './conversation.js';
import type { Faults } from './faults.js';
import { Random } from './random.js';
import { type PlannedSpan, planRecording } from './recording-plan.js';

/** Writes a plan in one vocabulary. */
export type Renderer = (plan: readonly PlannedSpan[]) => Recording;

export interface SimulationRun {
  readonly conversation: Conversation;
  readonly plan: readonly PlannedSpan[];
  readonly unit: Unit;
  readonly isExact: boolean;
  /** Not exact, and a loss says that something was seen only in part or concluded. */
  readonly isReported: boolean;
}

/** One random conversation, recorded with faults, rendered and rebuilt. */
export function simulate(seed: number, faults: Faults, render: Renderer): SimulationRun {
  const random = new Random(seed);
  const conversation = randomConversation(random);
  const plan = planRecording(conversation, faults, random);
  const unit = rebuild(render(plan));
  const isExact = describeSteps(unit.behaviors) === describeSteps(expectedSteps(conversation));
  return { conversation, plan, unit, isExact, isReported: !isExact && unit.losses.length > 0 };
}
