import { SEARCH } from '@strata/contract';
import { actionController } from '../../platform/http/action-controller.ts';
import { ResponseCache } from '../../platform/http/response-cache.ts';
import { Search } from './search.ts';

/** Results, their members and their contents are serialized one by one. */
const DEPTH = 3;

export const SearchController = actionController(
  'search controller',
  { search: SEARCH },
  { answers: ResponseCache, search: Search },
  ({ answers, search }) => ({
    search: ({ call }) => answers.send(call, (headNow) => search.find(call, headNow), DEPTH),
  }),
);
