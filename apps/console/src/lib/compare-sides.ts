import { formatInstant } from './instant.ts';
import { type PointInTimeArgs, parsePointInTime } from './point-in-time.ts';

/** The search parameters of a comparison. Environments are identified by name; points in time have the format of `at`. */
export interface CompareSearch {
  /** The name of the project; all projects are compared if it is absent. */
  readonly project?: string | undefined;
  /** The environments. If both are absent, every environment is compared with itself. If one is absent, it is the same as the other. */
  readonly left?: string | undefined;
  readonly right?: string | undefined;
  /** The points in time; by default that of the page. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Part of the parameter name. */
  readonly q?: string | undefined;
  readonly after?: string | undefined;
  /** Whether the preview of the promotion is open. */
  readonly step?: 'promote' | undefined;
}

/** A side of a comparison. */
export interface CompareSide {
  /** The name of the environment. Null means every environment, or the environment of the other side. */
  readonly environment: string | null;
  readonly pointInTime: string | undefined;
}

export interface ComparedSides {
  readonly left: CompareSide;
  readonly right: CompareSide;
}

/** Returns the sides of a comparison. `at` is the point in time of the page. */
export function toComparedSides({ left, right, from, to }: CompareSearch, at: string | undefined): ComparedSides {
  return {
    left: { environment: left ?? null, pointInTime: from ?? at },
    right: { environment: right ?? null, pointInTime: to ?? at },
  };
}

/** Returns whether both sides are the same, so that nothing can differ. */
export function areSidesSame({ left, right }: ComparedSides): boolean {
  const [leftEnvironment, rightEnvironment] = [
    left.environment ?? right.environment,
    right.environment ?? left.environment,
  ];
  return left.pointInTime === right.pointInTime && leftEnvironment === rightEnvironment;
}

/** Returns the arguments of the `differences` field. Points in time must be resolved. */
export function comparisonArgs({ left, right }: ComparedSides, leftArgs: PointInTimeArgs, rightArgs: PointInTimeArgs) {
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

/** Describes a side, as in `staging` or `production at revision 12`, without the parts that both sides share. */
export function describeSide(side: CompareSide, otherSide: CompareSide): string {
  const environment = side.environment ?? otherSide.environment;
  const isSamePointInTime = side.pointInTime === otherSide.pointInTime;
  const pointInTime = describeSideTime(side.pointInTime);
  if (environment === null) return pointInTime;
  return isSamePointInTime && side.pointInTime === undefined ? environment : `${environment} ${pointInTime}`;
}

export function describeSideTime(text: string | undefined): string {
  const pointInTime = parsePointInTime(text);
  switch (pointInTime.kind) {
    case 'now':
      return 'now';
    case 'instant':
      return `as of ${formatInstant(pointInTime.instant)}`;
    case 'revision':
      return `at revision ${pointInTime.revision}`;
    case 'tag':
      return `at tag ${pointInTime.tag} of ${pointInTime.environment}`;
  }
}
