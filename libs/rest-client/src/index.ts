export { CorePool } from './core-pool.ts';
export {
  type EventFilter,
  Events,
  type FollowMessage,
  type FollowOptions,
  type StreamMessage,
  type StreamOptions,
} from './event-stream.ts';
export { failureOf, UnexpectedAnswer } from './failure.ts';
export { RestClient, type RestClientOptions } from './rest-client.ts';
export { type SseMessage, SseParser } from './sse.ts';
export { stoppable } from './stoppable.ts';
export {
  isReading,
  type Method,
  type Query,
  queryString,
  type RepeatedParameter,
  type RestRequest,
  type RestResponse,
} from './transport.ts';
