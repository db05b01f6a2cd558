import type { RuleKind } from './rule-kind.ts';
import type { Params } from './sentence.ts';

/** An error as data. Programs use it instead of the sentence. */
export interface ErrorData {
  readonly code: string;
  /** A JSON pointer to the part of the input; empty for the input as a whole. */
  readonly pointer: string;
  readonly params: Params;
  /** The sentence. */
  readonly detail: string;
  /** The single errors, if there can be several. */
  readonly errors?: ProblemData[];
}

/** One of several errors of a request. */
export interface ProblemData extends Omit<ErrorData, 'errors'> {
  /** The kind of the violated rule. */
  readonly rule?: RuleKind;
  /** The key of the error in a plain JSON body, if that has keys. */
  readonly field?: string;
}
