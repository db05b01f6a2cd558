// Loads the sample platform into an organization through the REST API. The console defines the content, and libs/import the order,
// so that `npm run seed` and the button in the browser create the same platform.
import { completePlatform, restImportClient } from '@strata/import';
import { findRoute, queryString, readAllRows } from '@strata/rest-client';
import { toPlatform } from '../../apps/console/src/features/first-run/sample-platform/described-sample.ts';
import { samplePlatform } from '../../apps/console/src/features/first-run/sample-platform/platform.ts';

/**
 * Loads an organization, by default the whole platform, and returns the number of created objects.
 * Calls `onPart(part, created)` after each part.
 */
export function load(api, onPart, platform = samplePlatform) {
  const message = (part) => `Sample platform: ${part}`;
  return completePlatform(restImportClient(importConnection(api)), toPlatform(platform), { message, onPart });
}

/** Returns the connection of an import. */
export function importConnection(api) {
  const client = { call: (id, { path, query } = {}) => api.get(findRoute(id, path).path + queryString(query)) };
  return {
    ...client,
    rows: (id, request) => readAllRows(client, id, request),
    apply: (body) => api.send(findRoute('changesets_create').path, body),
  };
}
