/**
 * Retrial as a library: what the commands do, without the command line. Every function takes plain data
 * and returns plain data; what is wrong with an input is told in the result, never thrown.
 */
export type { Behavior, Unit } from './model/behavior.js';
export type { Loss } from './model/evidence.js';
export type { Explanation, UnitExplanation } from './model/explanation.js';
export type { Diagnostic, Problem } from './model/problem.js';
export type { EvaluationReport, Report, StepReport, UnitReport } from './model/report.js';
export type { Span } from './model/span.js';
export type { JudgeTrail } from './model/verdict.js';
export type { ExplainOptions, GradeOptions } from './pipeline/grade-options.js';
export type { JudgingOptions } from './pipeline/judge-options.js';
export type { LibraryOptions, LoadedRecording } from './pipeline/library.js';
export { explain, grade, loadRecording } from './pipeline/library.js';
