import type { ChangeAction, NamedObject } from './event.ts';
import type { RuleKind } from './rule-kind.ts';

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
  | 'unsupported_media_type'
  | 'invalid'
  | 'unprocessable'
  | 'limited'
  | 'unavailable';

/** The form of the error body on the wire (behaviour.md §1.11). */
type FailureShape = 'detail' | 'fields' | 'list' | 'evaluations' | 'steps' | 'plan' | 'conflicts';

export interface Problem {
  /** The name of the input field; `non_field_errors` if the object as a whole is invalid. */
  readonly field: string;
  readonly message: string;
  /** The kind of the violated rule, or of the rule that the request may not write. */
  readonly rule?: RuleKind | undefined;
}

/** A text that could not be evaluated. `field` is the name of the parameter or template that contains it. */
export interface EvaluationProblem extends Problem {
  readonly id: string;
  readonly code: string;
}

export interface FailureFields {
  readonly kind: FailureKind;
  /** Stable; clients receive it in `X-Error-Code` and in GraphQL's `extensions.code`. */
  readonly code: string;
  /** Says what to do next. It must never contain a parameter's value or a credential. */
  readonly message: string;
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
  readonly code: string;
  readonly shape: FailureShape;
  readonly problems: readonly (Problem | EvaluationProblem)[];
  readonly retryAfterSeconds: number | null;
  readonly rules: readonly RuleKind[];

  constructor({
    kind,
    code,
    message,
    shape = 'detail',
    problems = [],
    retryAfterSeconds = null,
    rules,
  }: FailureFields) {
    super(message);
    this.kind = kind;
    this.code = code;
    this.shape = shape;
    this.problems = problems;
    this.retryAfterSeconds = retryAfterSeconds;
    this.rules = rules ?? [...new Set(problems.flatMap(({ rule }) => rule ?? []))];
  }

  /** Returns a 404 with the sentence that existing clients match. `named` identifies the object that was not found. */
  static notFound(objectName: string, named?: string): Failure {
    const which = named === undefined ? '' : `: ${named}`;
    return new Failure({
      kind: 'not_found',
      code: 'not_found',
      message: `No ${objectName} matches the given query${which}.`,
    });
  }

  /** Returns a 400 with messages keyed by field. */
  static field(code: string, field: string, message: string, rule?: RuleKind): Failure {
    return Failure.fields(code, [{ field, message, rule }]);
  }

  static fields(code: string, problems: readonly Problem[]): Failure {
    return new Failure({
      kind: 'invalid',
      code,
      message: problems.map(({ message }) => message).join(' '),
      shape: 'fields',
      problems,
    });
  }

  /** Returns a 400 with a bare array, where existing clients expect one. */
  static list(code: string, messages: readonly string[], rule?: RuleKind): Failure {
    const problems = messages.map((message) => ({ field: 'non_field_errors', message, rule }));
    return new Failure({ kind: 'invalid', code, message: messages.join(' '), shape: 'list', problems });
  }

  /** Returns a 422: a stored text cannot currently be evaluated (behaviour.md §1.11). */
  static evaluation(problems: readonly EvaluationProblem[]): Failure {
    const message = problems.map((problem) => problem.message).join(' ');
    return new Failure({ kind: 'unprocessable', code: 'evaluation_failed', message, shape: 'evaluations', problems });
  }

  /** Returns a 400 with `detail`. */
  static invalid(code: string, message: string): Failure {
    return new Failure({ kind: 'invalid', code, message });
  }

  static conflict(code: string, message: string): Failure {
    return new Failure({ kind: 'conflict', code, message });
  }

  static forbidden(message = 'You do not have permission to perform this action.'): Failure {
    return new Failure({ kind: 'forbidden', code: 'forbidden', message });
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
export class PreconditionFailed extends Failure {
  constructor(
    readonly currentVersions: readonly PresentVersion[],
    message = STALE,
  ) {
    super({ kind: 'precondition_failed', code: 'precondition_failed', message });
  }
}

/** One rejected operation of a batch, and the reason. */
export interface RefusedStep {
  /** The index of the operation, from 0. */
  readonly index: number;
  /** The status that the operation would return on its own; null if it was skipped. */
  readonly status: number | null;
  readonly code: string;
  /** The kinds of rules that the error is about; absent if it is not about rules. */
  readonly rules?: RuleKind[];
  /** The body that the operation would return on its own. */
  readonly error: unknown;
}

/** Some operations of a batch were rejected, so the whole batch was. */
export class StepsRefused extends Failure {
  constructor(
    kind: FailureKind,
    code: string,
    message: string,
    readonly steps: readonly RefusedStep[],
  ) {
    super({ kind, code, message, shape: 'steps', rules: [...new Set(steps.flatMap(({ rules }) => rules ?? []))] });
  }
}

/** A revert was rejected. `conflicts` lists everything that prevents it. */
export class RevertRefused extends Failure {
  constructor(
    kind: FailureKind,
    code: string,
    message: string,
    readonly conflicts: readonly unknown[],
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
export class StillReferenced extends Failure {
  /** `hidden` counts the references in projects that the caller has no access to. */
  constructor(
    refusal: Failure,
    readonly referrers: readonly NamedReferrer[],
    readonly hidden: number,
  ) {
    super({
      kind: refusal.kind,
      code: refusal.code,
      message: refusal.message,
      shape: refusal.shape,
      problems: refusal.problems,
    });
  }
}

/** The plan no longer matches what would be applied. */
export class PlanOutdated extends Failure {
  /** The difference from the plan that the caller sent, if there was one. */
  constructor(
    message: string,
    readonly plan: unknown,
    readonly difference: unknown,
  ) {
    super({ kind: 'precondition_failed', code: 'plan_outdated', message, shape: 'plan' });
  }
}
