/** Stops the requests of a client at a time that its owner decides, such as the end of a lease. */
export interface RequestFence {
  /** Whether requests may be sent. It is checked right before each request is sent. */
  isOpen(): boolean;
  /** Aborted when the fence closes. Requests that wait for a response are then aborted. */
  readonly signal: AbortSignal;
}

/** The code of the error of a request that a fence stopped. */
export const FENCE_CLOSED = 'FENCE_CLOSED';

export const requestFenceError = (): Error =>
  Object.assign(new Error('The time in which this request could be sent has ended.'), { code: FENCE_CLOSED });
