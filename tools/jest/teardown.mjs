export default async function teardown() {
  await globalThis.strataTestPostgres?.stop();
}
