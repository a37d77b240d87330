/**
 * The opening words of every system prompt that a judge is sent. A recorded model call whose first system
 * message begins with them is judge traffic, and no part of what is graded.
 */
export const judgeMark = 'You are the judge of Retrial.';
