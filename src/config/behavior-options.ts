import type { BehaviorOptions } from '../behaviors/behavior-options.js';
import type { ConfigValues } from './schema.js';

/** What the configuration adds to the reconstruction of Behaviors. */
export function behaviorOptionsOf({ behaviors }: ConfigValues): BehaviorOptions {
  return {
    handoffTools: behaviors.handoff_tools,
    aliases: new Map(Object.entries(behaviors.aliases)),
  };
}
