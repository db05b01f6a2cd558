import { instantWords } from './instant.ts';
import { type MomentArgs, momentIn } from './moment.ts';

/** The search parameters of a comparison. Environments are names; points in time have the format of `at`. */
export interface CompareSearch {
  /** The name of the project. Without it all projects are compared. */
  readonly project?: string | undefined;
  /** Absent on both sides: every environment with itself. On one side alone: the same one as on the other. */
  readonly left?: string | undefined;
  readonly right?: string | undefined;
  /** Points in time. Without them the console's point in time applies. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Part of the parameter name. */
  readonly q?: string | undefined;
  readonly after?: string | undefined;
  /** Whether the promotion of the selected values is open. */
  readonly step?: 'promote' | undefined;
}

/** A side of a comparison. */
export interface CompareSide {
  /** Null means every environment, or the same one as on the other side. */
  readonly environment: string | null;
  readonly moment: string | undefined;
}

export interface ComparedSides {
  readonly left: CompareSide;
  readonly right: CompareSide;
}

/** `at` is the console's point in time. */
export function sidesOf({ left, right, from, to }: CompareSearch, at: string | undefined): ComparedSides {
  return {
    left: { environment: left ?? null, moment: from ?? at },
    right: { environment: right ?? null, moment: to ?? at },
  };
}

/** Whether both sides are equal, so that nothing can differ. */
export function areSame({ left, right }: ComparedSides): boolean {
  const [one, other] = [left.environment ?? right.environment, right.environment ?? left.environment];
  return left.moment === right.moment && one === other;
}

/** The arguments of `differences`, with resolved points in time. */
export function comparisonArgs({ left, right }: ComparedSides, leftArgs: MomentArgs, rightArgs: MomentArgs) {
  return {
    left: left.environment,
    right: right.environment,
    leftAsOf: leftArgs.asOf ?? null,
    leftRevision: leftArgs.revision ?? null,
    rightAsOf: rightArgs.asOf ?? null,
    rightRevision: rightArgs.revision ?? null,
  };
}
export type ComparedArgs = ReturnType<typeof comparisonArgs>;

/** A side in words: `staging`, `production at revision 12`. Omits what both sides have in common. */
export function describeSide(side: CompareSide, other: CompareSide): string {
  const environment = side.environment ?? other.environment;
  const isSameMoment = side.moment === other.moment;
  const moment = describeSideMoment(side.moment);
  if (environment === null) return moment;
  return isSameMoment && side.moment === undefined ? environment : `${environment} ${moment}`;
}

export function describeSideMoment(text: string | undefined): string {
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
