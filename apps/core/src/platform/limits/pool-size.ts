/** The connections that one process uses for requests. */
export const POOL_SIZE = 10;
