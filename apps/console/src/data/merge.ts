import { jsonPointer } from '@strata/domain';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { type FieldError, WriteError } from '../lib/request-error.ts';

/** The values of the fields of a form. */
type Fields<Name extends string> = Readonly<Record<Name, string>>;

/** The object of a form, in the version that the user has seen. */
export interface LoadedVersion<Name extends string> {
  readonly ledgerId: string;
  readonly fields: Fields<Name>;
}

interface Saving<Name extends string> {
  readonly typed: Fields<Name>;
  /** Stores the changed fields if the object still has the seen version. */
  write(changedFields: readonly Name[], ledgerId: string): Promise<unknown>;
  /** Returns the current object; null if it was deleted. */
  read(): Promise<LoadedVersion<Name> | null | undefined>;
  /** Formats the values of fields that are not plain text. */
  describeError?(name: Name, text: string): string;
  /** Called with the current object after a conflict, so that sending the form again overwrites it. */
  onSeen(seen: LoadedVersion<Name>): void;
}

/**
 * Stores only the fields that the user has changed, so that changes of other users to the other fields stay. Fails if another user has
 * changed the same field to another value meanwhile. Returns whether there was anything to store.
 */
export async function saveChangedFields<Name extends string>(
  loadedVersion: LoadedVersion<Name>,
  { typed, write, read, describeError = (_, text) => text, onSeen }: Saving<Name>,
): Promise<boolean> {
  const changedFields = (Object.keys(typed) as Name[]).filter((name) => typed[name] !== loadedVersion.fields[name]);
  let { ledgerId } = loadedVersion;
  while (changedFields.length > 0) {
    try {
      await write(changedFields, ledgerId);
      return true;
    } catch (error) {
      if (!(error instanceof WriteError && error.isOutdated)) throw error;
      const latest = await read();
      if (!latest || latest.ledgerId === ledgerId) throw error;
      const now = latest.fields;
      const overtaken = changedFields.filter(
        (name) => now[name] !== loadedVersion.fields[name] && now[name] !== typed[name],
      );
      if (overtaken.length > 0) {
        const currentFields = Object.fromEntries(overtaken.map((name) => [name, now[name]]));
        // The user sees the current values of these fields only, so the other fields keep the values that the user saw before.
        onSeen({ ledgerId: loadedVersion.ledgerId, fields: { ...loadedVersion.fields, ...currentFields } });
        const fieldErrors = overtaken.map((field): FieldError => {
          const detail = describeOvertaken(describeError(field, now[field]));
          return { field, message: detail, detail, code: error.code, pointer: jsonPointer([field]) };
        });
        throw new WriteError(error.code, 'Someone else has changed this.', fieldErrors, true);
      }
      ({ ledgerId } = latest);
    }
  }
  return false;
}

/** Returns the current result of a query, without the cache. */
export async function fetchUncached<Data, Key extends QueryKey>(
  client: QueryClient,
  query: Parameters<typeof client.fetchQuery<Data, Error, Data, Key>>[0],
): Promise<Data> {
  await client.cancelQueries({ queryKey: query.queryKey, exact: true });
  return client.fetchQuery({ ...query, staleTime: 0 });
}

const describeOvertaken = (currentText: string): string =>
  `Someone else has changed this: ${currentText === '' ? 'it is empty' : `it is “${currentText}”`} now. Save again to replace it with yours.`;
