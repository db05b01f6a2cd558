/** Requests a shared resource from the test runner: see tools/jest/resource-server.mjs. */
export async function sharedResource<T>(resourceName: string, input: object = {}): Promise<T> {
  const response = await fetch(`${requiredEnv('STRATA_TEST_SUPPLIES')}/${resourceName}`, {
    method: 'POST',
    body: JSON.stringify(input),
  });
  if (!response.ok) throw new Error(`The tests got no ${resourceName}: ${await response.text()}`);
  return (await response.json()) as T;
}

/** The files of one worker run one after the other and share the worker's resources. */
export const workerId = (): string => requiredEnv('JEST_WORKER_ID');

export function requiredEnv(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run this through npm test, which provides what tests need`);
  return value;
}
