// Replaces the package of the HTTP client in tests, so that it is loaded once per worker (environment.mjs) and not once
// per file.
export const { Agent, fetch, Pool, request } = globalThis.strataUndici;
