// Replaces the driver of the browser in tests, so that it is loaded once per worker (environment.mjs) and not once per file.
export const { chromium } = await globalThis.strataPlaywright;
