import type { Page, RecordedChangeset, Value } from '@strata/contract';
import type { CloudFault } from '@strata/testkit';
import type { FinishedPush, PushedShop, PushFixture } from './push-fixture.ts';

export const setPolicy = async ({ organization }: PushedShop, { push }: FinishedPush, policy: object) => {
  const { status, text } = await organization.owner.patch(`${push.url}policy/`, policy);
  if (status !== 200) throw new Error(text);
};
/** Returns the text of a value that is set in production. */
export const readText = async (shop: PushedShop, name: string) => {
  const { owner } = shop.organization;
  const environment = await shop.organization.environmentNamed('production');
  const { url } = shop.parameter(name);
  const { body } = await owner.get<Page<Value>>(`${url}values/?environment=${environment.id}`);
  return body.results[0]?.value;
};
export const listChangesets = async ({ organization }: PushedShop) =>
  (await organization.owner.get<Page<RecordedChangeset>>('changesets/?page_size=50')).body.results;
/** Returns the changesets of imports. */
export const listImports = async (shop: PushedShop) =>
  (await listChangesets(shop)).filter(({ actor_name: actor }) => actor === 'Integrations');
/** Creates a push whose drifted keys are imported. */
export async function importing(at: PushFixture, values: Readonly<Record<string, string>>, service?: string) {
  const shop = await at.shop(values, service);
  const push = await shop.push();
  await setPolicy(shop, push, { drift: 'import' });
  return { shop, push };
}

/** Calls `interfere` when a run that has planned to import a key reads the key again. Returns the fault of that request. */
export function beforeImport(
  { aws }: PushFixture,
  key: string,
  interfere: (attempt: number) => CloudFault | null | Promise<CloudFault | null>,
): void {
  let reads = 0;
  aws.interfere(({ operation, input }) => {
    if (operation !== 'GetSecretValue' || input.SecretId !== key) return null;
    reads += 1;
    return reads === 1 ? null : interfere(reads - 1);
  });
}
