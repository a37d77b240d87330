import type { Entry } from './transcript.js';
import { compareValues } from './unique-spans.js';

/** A run of entries that stands as a whole at one place: what one invocation did. */
export interface Block {
  readonly start: bigint;
  readonly id: string;
  readonly items: readonly Item[];
}

export type Item = Entry | Block;

export function isBlock(item: Item): item is Block {
  return 'items' in item;
}

export function compareBlocks(a: Block, b: Block): number {
  return compareValues(a.start, b.start) || compareValues(a.id, b.id);
}
