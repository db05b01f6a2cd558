export default async function teardown() {
  const parts = globalThis.strataTestRun ?? [];
  const ended = [];
  for (const part of parts) ended.push(...(await Promise.allSettled([part.stop()])));
  for (const { reason } of ended) if (reason) throw reason;
}
