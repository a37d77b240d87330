import { field } from '../shape.js';
import type { BlockReader } from './atoms.js';
import { noticeAtom, textAtoms } from './atoms.js';

/** S2, content parts of OpenAI chat and Responses messages. */
export const openAiBlocks: Readonly<Record<string, BlockReader>> = {
  input_text: (block, message) => textAtoms(field(block, 'text'), message),
  output_text: (block, message) => textAtoms(field(block, 'text'), message),
  summary_text: () => [],
  reasoning_text: () => [],
  refusal: (block, message) => textAtoms(field(block, 'refusal'), message),
  image_url: (block) => [noticeAtom('image_url', block)],
};
