import type { ParameterId } from './ids.ts';

/** A value as stored. */
interface SubstitutableValue {
  readonly parameterId: ParameterId;
  /** The plain text; null if the value is an explicit null or sealed. */
  readonly text: string | null;
  readonly interpolated: boolean;
}

/** All parameters of a name in a project and the projects above it. */
type SubstitutableOwners = readonly {
  readonly id: ParameterId;
  readonly secret: boolean;
  /** A duration, or null if values do not expire. */
  readonly expires: string | null;
}[];

/**
 * Returns whether one value can replace another without changing an effective value. A dynamic value can be replaced
 * only by the same text of the same parameter, because the text may evaluate differently elsewhere. Secrets are not
 * compared, because equality would reveal information about both. If a parameter expires, each of its values has its
 * own expiry date.
 */
export function isEquivalent(
  value: SubstitutableValue,
  nextWinner: SubstitutableValue,
  owners: SubstitutableOwners,
): boolean {
  const isComparable = [value, nextWinner].every(({ parameterId }) => {
    const owner = owners.find(({ id }) => id === parameterId);
    return owner !== undefined && !owner.secret && owner.expires === null;
  });
  const isSameKind = value.interpolated === nextWinner.interpolated;
  const isSameMeaning = !value.interpolated || value.parameterId === nextWinner.parameterId;
  return isComparable && isSameKind && isSameMeaning && value.text === nextWinner.text;
}
