import { LintPage, LintQuery } from './lint.ts';
import { operation, operations } from './operation.ts';
import { SearchPage, SearchQuery } from './search.ts';

const API = '/api/v1';

export const SEARCH = operation({
  id: 'search_list',
  method: 'get',
  path: `${API}/search/`,
  tag: 'insight',
  summary: 'Search for a text',
  description:
    'Searches everything that you can access, in every environment, inherited values included. Secret values, and dynamic values that depend on a secret, are neither searched nor returned. Each page has a time limit; `incomplete` reports that it was reached.',
  requires: 'read',
  query: SearchQuery,
  status: 200,
  response: SearchPage,
  errorStatuses: [404],
  conditional: true,
});

export const LINT = operation({
  id: 'lint_list',
  method: 'get',
  path: `${API}/lint/`,
  tag: 'insight',
  summary: 'Find possible mistakes in the configuration',
  description:
    'Finds redundant overrides, missing values, texts that look like secrets, unused parameters and expired values. Each finding has the operations that fix it, or the reason why there are none. No finding contains a value.',
  requires: 'read',
  query: LintQuery,
  status: 200,
  response: LintPage,
  errorStatuses: [404],
  conditional: true,
});

export const insightOperations = operations([SEARCH, LINT]);
