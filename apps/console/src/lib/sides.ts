import { instantWords } from './instant.ts';
import { type MomentArgs, momentIn } from './moment.ts';

/** What the address of a comparison says: environments by name, points in time as `at` says them. */
export interface CompareSearch {
  /** Its name; absent: all projects. */
  readonly project?: string | undefined;
  /** Absent on both sides: every environment with itself. On one side alone: the same one as on the other. */
  readonly left?: string | undefined;
  readonly right?: string | undefined;
  /** Points in time; absent: what the whole console shows. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Part of the name. */
  readonly q?: string | undefined;
  readonly after?: string | undefined;
  /** What was selected is about to be promoted. */
  readonly step?: 'promote' | undefined;
}

/** One side of a comparison, as the address says it. */
export interface CompareSide {
  /** Null: every one, or the same as on the other side. */
  readonly environment: string | null;
  readonly moment: string | undefined;
}

export interface ComparedSides {
  readonly left: CompareSide;
  readonly right: CompareSide;
}

/** `at` is the point in time of the whole console. */
export function sidesOf({ left, right, from, to }: CompareSearch, at: string | undefined): ComparedSides {
  return {
    left: { environment: left ?? null, moment: from ?? at },
    right: { environment: right ?? null, moment: to ?? at },
  };
}

/** Nothing differs from itself. */
export function areSame({ left, right }: ComparedSides): boolean {
  const [one, other] = [left.environment ?? right.environment, right.environment ?? left.environment];
  return left.moment === right.moment && one === other;
}

/** What `differences` takes, once it is known what the points in time are. */
export function argsOf({ left, right }: ComparedSides, leftArgs: MomentArgs, rightArgs: MomentArgs) {
  return {
    left: left.environment,
    right: right.environment,
    leftAsOf: leftArgs.asOf ?? null,
    leftRevision: leftArgs.revision ?? null,
    rightAsOf: rightArgs.asOf ?? null,
    rightRevision: rightArgs.revision ?? null,
  };
}
export type ComparedArgs = ReturnType<typeof argsOf>;

/** A side in words: `staging`, `production at revision 12`. What both have in common need not be said. */
export function sideWords(side: CompareSide, other: CompareSide): string {
  const environment = side.environment ?? other.environment;
  const isSameMoment = side.moment === other.moment;
  const moment = momentWords(side.moment);
  if (environment === null) return moment;
  return isSameMoment && side.moment === undefined ? environment : `${environment} ${moment}`;
}

export function momentWords(text: string | undefined): string {
  const moment = momentIn(text);
  switch (moment.kind) {
    case 'now':
      return 'now';
    case 'instant':
      return `as of ${instantWords(moment.instant)}`;
    case 'revision':
      return `at revision ${moment.revision}`;
    case 'tag':
      return `at tag ${moment.tag} of ${moment.environment}`;
  }
}
