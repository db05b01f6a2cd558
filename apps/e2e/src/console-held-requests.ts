import type { ConsolePerson } from './console-browser.ts';

/** Holds the requests of an operation of the console, and returns a function that releases them. */
export async function holdRequests({ page }: ConsolePerson, operation: string): Promise<() => void> {
  const { promise: releasePromise, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes(`"${operation}"`)) await releasePromise;
    await route.continue();
  });
  return release;
}
