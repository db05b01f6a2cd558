export { CorePool } from './core-pool.ts';
export type { EffectiveUpdate, FollowedValues } from './effective-stream.ts';
export { Events, type FollowMessage } from './event-stream.ts';
export { toFailure, UnexpectedResponseError } from './failure.ts';
export { type AnyRequest, findRoute } from './operations.ts';
export { readAllPages, readAllRows, readPages, readRows } from './pages.ts';
export { RestClient } from './rest-client.ts';

export { stopOnAbort } from './stoppable.ts';
export { isReading, type Method, type Query, queryString, type RestRequest } from './transport.ts';
