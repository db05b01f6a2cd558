import type { ReactNode } from 'react';
import { ErrorMessage } from './error-message.tsx';
import objects from './objects.module.css';

interface LoadedProps<Data> {
  /** The query for one object. Its data is null if the object does not exist. */
  readonly query: { readonly data: Data | null | undefined; readonly error: Error | null; refetch(): unknown };
  /** Shown if the object does not exist. */
  readonly missing: ReactNode;
  children(data: Data): ReactNode;
}

/** Shows an object once it is loaded, or why there is nothing to show. */
export function Loaded<Data>({ query: { data, error, refetch }, missing, children }: LoadedProps<Data>) {
  if (error) return <ErrorMessage error={error} reset={() => void refetch()} />;
  if (data === undefined) return <p className={objects.loading}>Loading …</p>;
  return data === null ? missing : children(data);
}
