import type { FormattedExecutionResult } from 'graphql';
import type { Client } from 'graphql-ws';

/** A change, with the fields that tests read. */
export interface ReceivedEvent {
  readonly cursor: string;
  readonly type: string;
  readonly revision: number;
  readonly object: { readonly id: string; readonly name: string };
}

export const WATCH = `subscription ($after: String, $types: [EventType!], $project: ID, $environment: ID) {
  changes(after: $after, types: $types, projectId: $project, environmentId: $environment) {
    cursor type action revision at actor { name type } object { id type name }
    project { name } environment { name } parameter { name }
  }
}`;

/** Returns the changes that one subscription receives. */
export function subscribeToChanges(
  socket: Client,
  variables: Record<string, unknown> = {},
): AsyncGenerator<ReceivedEvent> {
  const results = socket.iterate<{ changes: ReceivedEvent }>({ query: WATCH, variables });
  return listChanges(results);
}

export async function* listChanges(
  results: AsyncIterable<FormattedExecutionResult<{ changes: ReceivedEvent }, unknown>>,
): AsyncGenerator<ReceivedEvent> {
  for await (const { data, errors } of results) {
    if (errors || !data) throw new Error(JSON.stringify(errors));
    yield data.changes;
  }
}

/** Resolves with the close code of a socket. */
export function waitForSocketClose(socket: Client): Promise<{ code: number; reason: string }> {
  return new Promise((resolve) => socket.on('closed', (event) => resolve(event as { code: number; reason: string })));
}

export async function waitUntil(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 10));
}

export const eventObjectName = ({ object }: ReceivedEvent) => object.name;
