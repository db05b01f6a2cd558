import { queryOptions } from '@tanstack/react-query';
import { ApiUrl } from '../graphql/connect.graphql.ts';
import { requestGraphql } from '../graphql/request.ts';
import { queryKeys } from './query-keys.ts';

const apiUrlKeys = queryKeys('api-url', {}, () => ({}));

/** The query for the address of the REST API, which is a setting of the installation. */
export const apiUrlQuery = queryOptions({
  queryKey: apiUrlKeys.all,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => (await requestGraphql(ApiUrl, {}, signal)).viewer.apiUrl,
});
