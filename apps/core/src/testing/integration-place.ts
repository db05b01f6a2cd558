import type { Page } from '@strata/contract';
import type { RawClient, TestOrganization } from '@strata/testkit';

interface Made {
  readonly id: string;
  readonly url: string;
  readonly latest_task: { readonly id: string; readonly url: string } | null;
}

let made = 0;
/** Twelve digits that no integration has yet. */
function account(): string {
  made += 1;
  return String(made).padStart(12, '0');
}

const PUSH = { projects: [], tags: [], region: 'eu-central-1', service: 'ssm', resource: '{{ parameter }}' };

/** Bodies that integrations accept, by the beginning of their operation ids. */
export const INTEGRATION_BODIES: Readonly<Record<string, () => object>> = {
  integrations_aws: () => ({
    aws_account_id: account(),
    aws_role_name: 'strata',
    aws_enabled_regions: ['eu-central-1'],
    aws_enabled_services: ['s3'],
  }),
  integrations_azure_key_vault: () => ({
    vault_name: 'vault',
    tenant_id: `00000000-0000-4000-8000-${account()}`,
    description: account(),
  }),
  integrations_github: () => ({ gh_installation_id: Number(account()) }),
  ...Object.fromEntries(
    ['aws', 'azure_key_vault', 'github'].flatMap((provider) => [
      [`integrations_${provider}_pulls`, () => ({ ...PUSH, name: account(), description: account() })],
      [`integrations_${provider}_pulls_sync`, () => ({ dry_run: true })],
      [`integrations_${provider}_pushes`, () => ({ ...PUSH, name: account(), description: account() })],
      [`integrations_${provider}_scan`, () => PUSH],
    ]),
  ),
};

/** Ids for the placeholders of a path below `integrations/`, of things made for this call alone. */
export async function integrationPlace(house: TestOrganization, path: string): Promise<Record<string, string>> {
  const [, provider = ''] = /integrations\/(aws|azure\/key_vault|github)\//.exec(path) ?? [];
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (provider === '' || names.length === 0) return {};
  const { owner } = house;
  const all = await owner.get<Page<Made>>(`integrations/${provider}/`);
  for (const { url } of all.body.results) await owner.delete(url);
  const body = INTEGRATION_BODIES[`integrations_${provider.replace('/', '_')}`]?.();
  const integration = (await owner.post<Made>(`integrations/${provider}/`, body)).body;
  const ids = [
    integration.id,
    ...(names.length > 1 || /pulls|pushes/.test(path) ? await below(owner, integration, path) : []),
  ];
  return Object.fromEntries(names.map((name, depth) => [name, ids[depth] ?? '']));
}

/** A pull or a push that has run, its run, and the step of it. */
async function below(owner: RawClient, { url }: Made, path: string): Promise<string[]> {
  const isPush = path.includes('/pushes/');
  const exchange = await (isPush ? pushed(owner, url) : pulled(owner, url, path));
  const task = (await owner.get<Made>(exchange.url)).body.latest_task;
  if (!task) throw new Error(`${exchange.url} has not run.`);
  const [step] = (await owner.get<Page<Made>>(`${task.url}steps/`)).body.results;
  return [exchange.id, task.id, step?.id ?? ''];
}

async function pushed(owner: RawClient, url: string): Promise<Made> {
  const project = await owner.post<Made>('projects/', { name: `project ${account()}` });
  const environment = await owner.post<Made>('environments/', { name: `environment ${account()}` });
  const tag = await owner.post<Made>(`${environment.body.url}tags/`, { name: 'tag' });
  const links = { projects: [project.body.url], tags: [tag.body.url] };
  return (await owner.post<Made>(`${url}pushes/`, { ...PUSH, ...links, name: account() })).body;
}

/** Those of people can be deleted, and there are none of them at every provider. */
async function pulled(owner: RawClient, url: string, path: string): Promise<Made> {
  const pull = path.includes('github')
    ? (await owner.get<Page<Made>>(`${url}pulls/`)).body.results[0]
    : (await owner.post<Made>(`${url}pulls/`, { ...PUSH, name: account() })).body;
  if (!pull) throw new Error(`${url} has no pull.`);
  await owner.post(`${pull.url}sync/`, {});
  return pull;
}
