import { LintPage, LintQuery } from './lint.ts';
import { type Operation, operation } from './operation.ts';
import { SearchPage, SearchQuery } from './search.ts';

const API = '/api/v1';

export const SEARCH = operation({
  id: 'search_list',
  method: 'get',
  path: `${API}/search/`,
  tag: 'insight',
  summary: 'Find where a text applies',
  description:
    'Looks through everything that you may see, in every environment, also for what is inherited. What is secret, dynamic values that depend on a secret included, is neither compared nor shown. Page by page, and each page within a time: `incomplete` says that it was not enough.',
  requires: 'read',
  query: SearchQuery,
  status: 200,
  response: SearchPage,
  refusals: [404],
  conditional: true,
});

export const LINT = operation({
  id: 'lint_list',
  method: 'get',
  path: `${API}/lint/`,
  tag: 'insight',
  summary: 'Find what may be wrong with configuration',
  description:
    'Redundant overrides, environments without a value, texts that look like secrets, parameters that nothing needs, and expired values: each with the operations that mend it, or with the reason why there are none. No finding quotes a value.',
  requires: 'read',
  query: LintQuery,
  status: 200,
  response: LintPage,
  refusals: [404],
  conditional: true,
});

/** What configuration amounts to, over many projects. */
export const insight: readonly Operation[] = [SEARCH, LINT];
