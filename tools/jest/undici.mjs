// The tests' HTTP client, in place of the package: loaded once per worker (environment.mjs), not once per file.
export const { Pool, request } = globalThis.strataUndici;
