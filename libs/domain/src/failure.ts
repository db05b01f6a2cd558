import type { ChangeAction, Named } from './event.ts';
import type { RuleKind } from './rule-kind.ts';

/** Every way a request can be refused. Adding a kind is a change of the public contract. */
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

/** How the body of the refusal looks on the wire (behaviour.md §1.11). */
export type FailureShape = 'detail' | 'fields' | 'list' | 'evaluations' | 'steps' | 'plan' | 'conflicts';

export interface Problem {
  /** Name of the input field; `non_field_errors` when the object as a whole is wrong. */
  readonly field: string;
  readonly message: string;
  /** The kind of the rule that the input breaks, or that the request may not write. */
  readonly rule?: RuleKind | undefined;
}

/** A text that could not be evaluated: `field` is the name of the parameter (or template) that holds it. */
export interface EvaluationProblem extends Problem {
  readonly id: string;
  readonly code: string;
}

/**
 * An expected refusal. `code` is stable and travels in `X-Error-Code` and in GraphQL's `extensions.code`;
 * `message` tells a person what to do next. Never put a value of a parameter or a credential into it.
 */
export class Failure extends Error {
  override readonly name = 'Failure';

  constructor(
    readonly kind: FailureKind,
    readonly code: string,
    message: string,
    readonly shape: FailureShape = 'detail',
    readonly problems: readonly (Problem | EvaluationProblem)[] = [],
    readonly retryAfterSeconds: number | null = null,
    /** The kinds of rules that the refusal is about, each once, so that a program need not read the sentences. */
    readonly rules: readonly RuleKind[] = [...new Set(problems.flatMap(({ rule }) => rule ?? []))],
  ) {
    super(message);
  }

  /** 404 in the words that existing clients search for, and which one of several it was. */
  static notFound(thing: string, named?: string): Failure {
    const which = named === undefined ? '' : `: ${named}`;
    return new Failure('not_found', 'not_found', `No ${thing} matches the given query${which}.`);
  }

  /** 400 keyed by field. */
  static field(code: string, field: string, message: string, rule?: RuleKind): Failure {
    return Failure.fields(code, [{ field, message, rule }]);
  }

  static fields(code: string, problems: readonly Problem[]): Failure {
    return new Failure('invalid', code, problems.map(({ message }) => message).join(' '), 'fields', problems);
  }

  /** 400 as a bare array, where existing clients expect one. */
  static list(code: string, messages: readonly string[], rule?: RuleKind): Failure {
    const problems = messages.map((message) => ({ field: 'non_field_errors', message, rule }));
    return new Failure('invalid', code, messages.join(' '), 'list', problems);
  }

  /** 422: something that is stored cannot be evaluated as things are now (behaviour.md §1.11). */
  static evaluation(problems: readonly EvaluationProblem[]): Failure {
    const message = problems.map((problem) => problem.message).join(' ');
    return new Failure('unprocessable', 'evaluation_failed', message, 'evaluations', problems);
  }

  /** 400 with `detail`. */
  static invalid(code: string, message: string): Failure {
    return new Failure('invalid', code, message);
  }

  static conflict(code: string, message: string): Failure {
    return new Failure('conflict', code, message);
  }

  static forbidden(message = 'You do not have permission to perform this action.'): Failure {
    return new Failure('forbidden', 'forbidden', message);
  }
}

/** The version that an object has now, and who made it when. Has the form in which clients are told. */
export interface PresentVersion {
  readonly object: Named & { readonly type: string };
  /** Null when the object is gone, or has no history of its own. */
  readonly ledger_id: string | null;
  readonly action: ChangeAction;
  readonly revision: number;
  /** RFC 3339, UTC, microseconds. */
  readonly at: string;
  readonly actor: Named & { readonly type: string };
  /** Which of several operations expected something else, by its place; absent where there was one. */
  readonly operation?: number;
}

const STALE = 'The object has changed since you read it. Read it again, and repeat the change on what you find.';

/** An object is not what somebody expected it to be. Tells what it is instead, as far as they may know. */
export class PreconditionFailed extends Failure {
  constructor(
    readonly present: readonly PresentVersion[],
    message = STALE,
  ) {
    super('precondition_failed', 'precondition_failed', message);
  }
}

/** One of several things that were asked for at once, and why it was refused. */
export interface RefusedStep {
  /** Its place, from 0. */
  readonly index: number;
  /** The status that it would get alone; null when it was skipped. */
  readonly status: number | null;
  readonly code: string;
  /** The kinds of rules that the refusal is about; absent where it is about none. */
  readonly rules?: RuleKind[];
  /** The body that it would be answered with alone. */
  readonly error: unknown;
}

/** Several things were asked for as one, and some of them were refused: so all of it was. */
export class StepsRefused extends Failure {
  constructor(
    kind: FailureKind,
    code: string,
    message: string,
    readonly steps: readonly RefusedStep[],
  ) {
    super(kind, code, message, 'steps', [], null, [...new Set(steps.flatMap(({ rules }) => rules ?? []))]);
  }
}

/** Things cannot be made what they were: all that stands against it. */
export class RevertRefused extends Failure {
  constructor(
    kind: FailureKind,
    code: string,
    message: string,
    readonly conflicts: readonly unknown[],
  ) {
    super(kind, code, message, 'conflicts');
  }
}

/** A text that refers to something, as somebody who may read it knows it. */
export interface NamedReferrer {
  /** A template, or a parameter and an environment. */
  readonly name: string;
  readonly project: string;
}

/** What is to be deleted or renamed is referred to. */
export class StillReferenced extends Failure {
  /** `hidden`: how many more there are in projects that who asks has no access to. */
  constructor(
    refusal: Failure,
    readonly referrers: readonly NamedReferrer[],
    readonly hidden: number,
  ) {
    super(refusal.kind, refusal.code, refusal.message, refusal.shape, refusal.problems);
  }
}

/** What was planned is not what would be done by now. */
export class PlanOutdated extends Failure {
  /** `difference`: from the plan that was sent along, if it was. */
  constructor(
    message: string,
    readonly plan: unknown,
    readonly difference: unknown,
  ) {
    super('precondition_failed', 'plan_outdated', message, 'plan');
  }
}
