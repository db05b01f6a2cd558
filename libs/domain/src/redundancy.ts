import type { ParameterId } from './ids.ts';

/** A value as it is stored. */
export interface SubstitutableValue {
  readonly parameterId: ParameterId;
  /** Clear text; null when the value is an explicit null or sealed. */
  readonly text: string | null;
  readonly interpolated: boolean;
}

/** The parameters that a name has in a project and above it. */
export type SubstitutableOwners = readonly {
  readonly id: ParameterId;
  readonly secret: boolean;
  /** A duration, or null. */
  readonly expires: string | null;
}[];

/**
 * Whether one value may take the place of another without a change anywhere. A dynamic one only for the same text of the same
 * parameter: elsewhere the same words may mean something else. Secrets are not compared, since that two are equal would tell of
 * both, and a parameter that expires gives each value a clock of its own.
 */
export function saysTheSame(
  value: SubstitutableValue,
  behind: SubstitutableValue,
  owners: SubstitutableOwners,
): boolean {
  const isComparable = [value, behind].every(({ parameterId }) => {
    const owner = owners.find(({ id }) => id === parameterId);
    return owner !== undefined && !owner.secret && owner.expires === null;
  });
  const isSameKind = value.interpolated === behind.interpolated;
  const isSameMeaning = !value.interpolated || value.parameterId === behind.parameterId;
  return isComparable && isSameKind && isSameMeaning && value.text === behind.text;
}
