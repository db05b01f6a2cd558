import type { ErrorCode, ParamName } from './error-codes.ts';
import type { ErrorData } from './error-data.ts';
import type { ChangeAction, NamedObject } from './event.ts';
import { jsonPointer } from './json-pointer.ts';
import type { RuleKind } from './rule-kind.ts';
import { asSentence, type FixedText, type Params, type Sentence } from './sentence.ts';

/** Every way in which a request can fail. A new kind changes the public contract. */
export type FailureKind =
  | 'unauthenticated'
  | 'bad_credential'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'conflict'
  | 'cursor_gone'
  | 'precondition_failed'
  | 'too_large'
  | 'content_too_large'
  | 'unsupported_media_type'
  | 'invalid'
  | 'unprocessable'
  | 'limited'
  | 'unavailable';

/** The form of the error body on the wire (behaviour.md §1.11). */
type FailureShape = 'detail' | 'fields' | 'list' | 'evaluations' | 'steps' | 'plan' | 'conflicts';

/** The field name of problems of the input as a whole. */
export const NON_FIELD_ERRORS = 'non_field_errors';

export interface Problem {
  /** The name of the input field; `non_field_errors` if the object as a whole is invalid. */
  readonly field: string;
  /** The sentence. If `pointer` leads to a member inside the field, it starts with the path of that member. */
  readonly message: string;
  /** The sentence without the path of the member, if `message` has one. */
  readonly detail?: string | undefined;
  /** The names and numbers in the sentence. */
  readonly params?: Params | undefined;
  /** A JSON pointer to the invalid part of the input; by default the field. */
  readonly pointer?: string | undefined;
  /** The code of this problem, if it differs from that of the failure. */
  readonly code?: string | undefined;
  /** The kind of the violated rule, or of the rule that the request may not write. */
  readonly rule?: RuleKind | undefined;
}

/** A text that could not be evaluated. `field` is the name of the parameter or template that contains it. */
export interface EvaluationProblem extends Problem {
  readonly id: string;
  readonly code: string;
}

/** Returns the problem of a member inside a field. Plain error bodies have only fields as keys. */
export function createProblemAt(path: readonly (string | number)[], text: string | Sentence): Problem {
  const { message, params } = asSentence(text);
  const [field, ...innerPath] = path.map(String);
  if (field === undefined) return { field: NON_FIELD_ERRORS, message, params, pointer: '' };
  const pointer = jsonPointer(path);
  if (innerPath.length === 0) return { field, message, params, pointer };
  return { field, message: `${innerPath.join('.')}: ${message}`, detail: message, params, pointer };
}

/** The part of a problem that says where it is. */
export type LocatedProblem = Pick<Problem, 'field' | 'pointer'>;

/** Returns the JSON pointer of a problem. */
export function pointerTo({ field, pointer }: LocatedProblem): string {
  return pointer ?? (field === NON_FIELD_ERRORS ? '' : jsonPointer([field]));
}

export interface FailureFields {
  readonly kind: FailureKind;
  /** Stable; clients receive it in `X-Error-Code` and in GraphQL's `extensions.reason`. */
  readonly code: ErrorCode;
  /** Says what to do next. It must never contain a parameter's value or a credential. */
  readonly message: string | Sentence;
  readonly params?: Params | undefined;
  /** A JSON pointer to the part of the input that the failure is about, if it has no problems. */
  readonly pointer?: string | undefined;
  /** The id of the project or environment that the caller has no access to. It is never sent. */
  readonly scope?: string | undefined;
  readonly shape?: FailureShape;
  readonly problems?: readonly (Problem | EvaluationProblem)[];
  readonly retryAfterSeconds?: number | null;
  /** The kinds of rules that the failure is about, each once, so that a program need not parse sentences. */
  readonly rules?: readonly RuleKind[];
}

/** An expected failure of a request. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly kind: FailureKind;
  readonly code: ErrorCode;
  readonly shape: FailureShape;
  problems: readonly (Problem | EvaluationProblem)[];
  readonly params: Params;
  private ownPointer: string | undefined;
  readonly scope: string | undefined;
  readonly retryAfterSeconds: number | null;
  readonly rules: readonly RuleKind[];

  constructor({
    kind,
    code,
    message: text,
    params,
    pointer,
    scope,
    shape = 'detail',
    problems = [],
    retryAfterSeconds = null,
    rules,
  }: FailureFields) {
    const sentence = asSentence(text);
    super(sentence.message);
    const [problem, ...otherProblems] = problems;
    const onlyProblem = otherProblems.length === 0 ? problem : undefined;
    this.kind = kind;
    this.code = code;
    this.shape = shape;
    this.problems = problems;
    this.params = params ?? onlyProblem?.params ?? sentence.params;
    this.ownPointer = pointer;
    this.scope = scope;
    this.retryAfterSeconds = retryAfterSeconds;
    this.rules = rules ?? [...new Set(problems.flatMap(({ rule }) => rule ?? []))];
  }

  /** A JSON pointer to the part of the input that the failure is about; empty for the input as a whole. */
  get pointer(): string {
    const [problem, ...otherProblems] = this.problems;
    return this.ownPointer ?? (problem && otherProblems.length === 0 ? pointerTo(problem) : '');
  }

  /** Sets the pointer, if the failure has none yet. */
  at(pointer: string | undefined): this {
    this.ownPointer ||= pointer;
    return this;
  }

  /** Sets the pointers of the problems, where the function returns one. */
  locate(locateProblem: (problem: Problem) => string | undefined): this {
    this.problems = this.problems.map((problem) => ({
      ...problem,
      pointer: locateProblem(problem) ?? problem.pointer,
    }));
    return this;
  }

  /**
   * Returns a 404 with the sentence that existing clients match. `name` identifies the object that was not found.
   * `object` is its type, if `subject` is not.
   */
  static notFound(subject: string, name?: string, object = subject): Failure {
    const nameText = name === undefined ? '' : `: ${name}`;
    return new Failure({
      kind: 'not_found',
      code: 'not_found',
      message: `No ${subject} matches the given query${nameText}.`,
      params: { object, ...(name !== undefined && { name }) },
    });
  }

  /** Returns a 400 with messages keyed by field. */
  static field<Code extends ErrorCode, Text extends string | Sentence<ParamName<Code>>>(
    code: Code,
    field: string,
    text: FixedText<Text>,
    rule?: RuleKind,
  ): Failure {
    return Failure.fields(code, [{ field, ...asSentence(text), rule }]);
  }

  static fields(code: ErrorCode, problems: readonly Problem[]): Failure {
    return new Failure({
      kind: 'invalid',
      code,
      message: problems.map(({ message }) => message).join(' '),
      shape: 'fields',
      problems,
    });
  }

  /** Returns a 400 with a bare array, where existing clients expect one. */
  static list<Code extends ErrorCode, Text extends string | Sentence<ParamName<Code>>>(
    code: Code,
    texts: readonly FixedText<Text>[],
    rule?: RuleKind,
  ): Failure {
    const problems = texts.map((text) => ({ field: NON_FIELD_ERRORS, ...asSentence(text), rule }));
    const message = problems.map((problem) => problem.message).join(' ');
    return new Failure({ kind: 'invalid', code, message, shape: 'list', problems });
  }

  /** Returns a 422: a stored text cannot currently be evaluated (behaviour.md §1.11). */
  static evaluation(problems: readonly EvaluationProblem[]): Failure {
    const message = problems.map((problem) => problem.message).join(' ');
    // The fields are names of texts, not members of the request.
    const located = problems.map((problem) => ({ pointer: '', ...problem }));
    const shape = 'evaluations';
    return new Failure({ kind: 'unprocessable', code: 'evaluation_failed', message, shape, problems: located });
  }

  /** Returns a 400 with `detail`. */
  static invalid<Code extends ErrorCode, Text extends string | Sentence<ParamName<Code>>>(
    code: Code,
    message: FixedText<Text>,
  ): Failure {
    return new Failure({ kind: 'invalid', code, message });
  }

  static conflict<Code extends ErrorCode, Text extends string | Sentence<ParamName<Code>>>(
    code: Code,
    message: FixedText<Text>,
  ): Failure {
    return new Failure({ kind: 'conflict', code, message });
  }

  /** Returns a 403. `scope` is the id of the project or environment that the caller has no access to. */
  static forbidden(
    message: string | Sentence<ParamName<'forbidden'>> = 'You do not have permission to perform this action.',
    scope?: string,
  ): Failure {
    return new Failure({ kind: 'forbidden', code: 'forbidden', message, scope });
  }
}

/** Runs a part of a request. Its errors without a pointer get the pointer of the input that the part depends on. */
export async function atInput<Result>(pointer: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    throw error instanceof Failure && error.problems.length === 0 ? error.at(pointer) : error;
  }
}

/** The current version of an object, who wrote it and when, in wire form. */
export interface PresentVersion {
  readonly object: NamedObject & { readonly type: string };
  /** Null if the object was deleted or has no history. */
  readonly ledger_id: string | null;
  readonly action: ChangeAction;
  readonly revision: number;
  /** RFC 3339, UTC, microseconds. */
  readonly at: string;
  readonly actor: NamedObject & { readonly type: string };
  /** The index of the operation whose expectation failed; absent if there was only one operation. */
  readonly operation?: number;
}

const STALE = 'The object has changed since you read it. Read it again and retry.';

/**
 * The object does not have the expected version. `present` holds its current version, as far as the caller may see it.
 */
export class PreconditionFailedError extends Failure {
  constructor(
    readonly currentVersions: readonly PresentVersion[],
    message: string | Sentence = STALE,
  ) {
    super({ kind: 'precondition_failed', code: 'precondition_failed', message });
  }
}

/** One rejected operation of a batch, and the reason. */
export interface StepError extends ErrorData {
  /** The index of the operation, from 0. */
  readonly index: number;
  /** The status that the operation would return on its own; null if it was skipped. */
  readonly status: number | null;
  /** The kinds of rules that the error is about; absent if it is not about rules. */
  readonly rules?: RuleKind[];
  /** The body that the operation would return on its own. */
  readonly error: unknown;
}

/** Some operations of a batch were rejected, so the whole batch was. */
export class StepsRejectedError extends Failure {
  constructor(
    kind: FailureKind,
    code: ErrorCode,
    message: string | Sentence,
    readonly steps: readonly StepError[],
  ) {
    super({ kind, code, message, shape: 'steps', rules: [...new Set(steps.flatMap(({ rules }) => rules ?? []))] });
  }
}

/** An object that a revert cannot restore, and the reason. */
interface UnrestoredObject {
  readonly code: string;
  readonly detail: string;
  readonly params: Params;
}

/** A revert was rejected. `conflicts` lists everything that prevents it. */
export class RevertRejectedError extends Failure {
  constructor(
    kind: FailureKind,
    code: ErrorCode,
    message: string | Sentence,
    /** The objects that cannot be restored, each with the params of its reason. */
    readonly conflicts: readonly UnrestoredObject[],
  ) {
    super({ kind, code, message, shape: 'conflicts' });
  }
}

/** A text that refers to an object, with the names that the caller may see. */
interface NamedReferrer {
  /** The name of a template, or of a parameter and an environment. */
  readonly name: string;
  readonly project: string;
}

/** The object to delete or rename still has references. */
export class StillReferencedError extends Failure {
  /** `hidden` counts the references in projects that the caller has no access to. */
  constructor(
    failure: Failure,
    readonly referrers: readonly NamedReferrer[],
    readonly hidden: number,
  ) {
    super({
      kind: failure.kind,
      code: failure.code,
      message: failure.message,
      shape: failure.shape,
      problems: failure.problems,
      params: failure.params,
      pointer: failure.pointer,
    });
  }
}

/** The plan no longer matches what would be applied. */
export class PlanOutdatedError extends Failure {
  /** The difference from the plan that the caller sent, if there was one. */
  constructor(
    message: string | Sentence,
    readonly plan: unknown,
    readonly difference: unknown,
  ) {
    super({ kind: 'precondition_failed', code: 'plan_outdated', message, shape: 'plan' });
  }
}
