import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { type RefusedPlace, RefusedWrite } from '../lib/refused.ts';

/** The values of the fields of a form. */
type Fields<Name extends string> = Readonly<Record<Name, string>>;

/** What somebody who fills in a form has seen of the object. */
export interface SeenVersion<Name extends string> {
  readonly ledgerId: string;
  readonly fields: Fields<Name>;
}

interface Saving<Name extends string> {
  readonly typed: Fields<Name>;
  /** Stores what was changed here over the version that was seen, and nothing over another one. */
  write(changed: readonly Name[], ledgerId: string): Promise<unknown>;
  /** The object as it is by now; null when it is gone. */
  read(): Promise<SeenVersion<Name> | null | undefined>;
  /** Where what a field holds is no words of a person. */
  wordsOf?(name: Name, text: string): string;
  /** Hears what has been seen from now on: the same thing sent again is meant. */
  onSeen(seen: SeenVersion<Name>): void;
}

/**
 * Stores the fields that somebody has changed here: the others stay as they are by now, whoever changed them. Refuses where somebody
 * else has changed the same field meanwhile to something else. Answers whether there was anything to store.
 */
export async function saveSeen<Name extends string>(
  seen: SeenVersion<Name>,
  { typed, write, read, wordsOf = (_, text) => text, onSeen }: Saving<Name>,
): Promise<boolean> {
  const changed = (Object.keys(typed) as Name[]).filter((name) => typed[name] !== seen.fields[name]);
  let { ledgerId } = seen;
  while (changed.length > 0) {
    try {
      await write(changed, ledgerId);
      return true;
    } catch (refusal) {
      if (!(refusal instanceof RefusedWrite && refusal.isOvertaken)) throw refusal;
      const present = await read();
      if (!present || present.ledgerId === ledgerId) throw refusal;
      const now = present.fields;
      const overtaken = changed.filter((name) => now[name] !== seen.fields[name] && now[name] !== typed[name]);
      if (overtaken.length > 0) {
        const told = Object.fromEntries(overtaken.map((name) => [name, now[name]]));
        // of the version that is there by now, nothing but these fields has been seen
        onSeen({ ledgerId: seen.ledgerId, fields: { ...seen.fields, ...told } });
        const places = overtaken.map((field): RefusedPlace => ({ field, message: toldOf(wordsOf(field, now[field])) }));
        throw new RefusedWrite(refusal.code, 'Someone else has changed this.', places, true);
      }
      ({ ledgerId } = present);
    }
  }
  return false;
}

/** The answer to a query as it is by now, whatever was asked for before. */
export async function readAnew<Data, Key extends QueryKey>(
  client: QueryClient,
  query: Parameters<typeof client.fetchQuery<Data, Error, Data, Key>>[0],
): Promise<Data> {
  await client.cancelQueries({ queryKey: query.queryKey, exact: true });
  return client.fetchQuery({ ...query, staleTime: 0 });
}

const toldOf = (present: string): string =>
  `Someone else has changed this: ${present === '' ? 'it is empty' : `it is “${present}”`} now. Save again to replace it with yours.`;
