export default async function teardown() {
  for (const part of globalThis.strataTestRun ?? []) await part.stop();
}
