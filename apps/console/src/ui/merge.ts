import { type RefusedPlace, RefusedWrite } from '../graphql/saved.ts';

/** What the fields of a form hold, each in words that a person would recognize. */
type Fields<Name extends string> = Readonly<Record<Name, string>>;

interface Merging<Name extends string> {
  /** As it was when the form was opened. */
  readonly begun: Fields<Name>;
  readonly typed: Fields<Name>;
  /** As it is by now. */
  readonly present: Fields<Name>;
}

/** The fields that somebody has changed here: the others stay as they are by now, whoever changed them. */
export const changedIn = <Name extends string>({ begun, typed }: Omit<Merging<Name>, 'present'>): readonly Name[] =>
  (Object.keys(typed) as Name[]).filter((name) => typed[name] !== begun[name]);

/**
 * For objects that have no version to expect. Refuses where somebody else has changed the same field meanwhile to something else;
 * `seen` hears what that is by now, so that the same thing sent again is meant.
 */
export function refuseUnseen<Name extends string>(
  { begun, typed, present }: Merging<Name>,
  seen: (begun: Fields<Name>) => void,
): void {
  const overtaken = changedIn({ begun, typed }).filter(
    (name) => present[name] !== begun[name] && present[name] !== typed[name],
  );
  if (overtaken.length === 0) return;
  const places = overtaken.map((field): RefusedPlace => ({ field, message: wordsOf(present[field]) }));
  seen({ ...begun, ...Object.fromEntries(overtaken.map((name) => [name, present[name]])) });
  throw new RefusedWrite('precondition_failed', 'Somebody else has changed this meanwhile.', places, true);
}

const wordsOf = (present: string): string =>
  `Somebody else has changed this meanwhile: ${present === '' ? 'it is empty' : `it is “${present}”`} now. Save again to have yours in its place.`;
