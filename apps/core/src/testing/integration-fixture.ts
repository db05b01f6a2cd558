import type { Page } from '@strata/contract';
import type { RawClient, TestOrganization } from '@strata/testkit';

interface Made {
  readonly id: string;
  readonly url: string;
  readonly latest_task: { readonly id: string; readonly url: string } | null;
}

let count = 0;
/** Returns twelve digits that no integration has yet. */
function account(): string {
  count += 1;
  return String(count).padStart(12, '0');
}

const PUSH = {
  projects: [],
  tags: [],
  region: 'eu-central-1',
  service: 'ssm',
  resource: '{{ environment }}/{{ project }}/{{ parameter }}',
};

const INTEGRATIONS: Readonly<Record<string, () => object>> = {
  aws: () => ({
    aws_account_id: account(),
    aws_role_name: 'strata',
    aws_enabled_regions: ['eu-central-1'],
    aws_enabled_services: ['s3'],
  }),
  'azure/key_vault': () => ({ vault_name: 'vault', tenant_id: `00000000-0000-4000-8000-${account()}` }),
  'google/secret_manager': () => ({ google_project_id: `project-${account()}` }),
  github: () => ({ gh_installation_id: Number(account()) }),
};

/** Returns a body that any operation on integrations accepts; each ignores unknown members. */
export function integrationBody(): object {
  const name = account();
  return Object.assign({ ...PUSH, name, dry_run: true }, ...Object.values(INTEGRATIONS).map((make) => make()));
}

/**
 * An organization can have only a few integrations, so pulls and pushes are created below one shared integration per
 * provider.
 */
const shared = new WeakMap<TestOrganization, Map<string, Promise<Made>>>();

/** Returns ids for the placeholders of a path below `integrations/`. Their objects are created for this call only. */
export async function integrationFixture(
  organization: TestOrganization,
  path: string,
): Promise<Record<string, string>> {
  const [, provider = ''] = /integrations\/(aws|azure\/key_vault|google\/secret_manager|github)\//.exec(path) ?? [];
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (provider === '' || names.length === 0) return {};
  const isBelow = /pulls|pushes/.test(path);
  const integration = await (isBelow
    ? sharedIntegration(organization, provider)
    : createIntegration(organization, provider));
  const ids = [integration.id, ...(isBelow ? await createBelow(organization.owner, integration, path) : [])];
  return Object.fromEntries(names.map((name, depth) => [name, ids[depth] ?? '']));
}

function sharedIntegration(organization: TestOrganization, provider: string): Promise<Made> {
  const integrations = shared.get(organization) ?? new Map<string, Promise<Made>>();
  shared.set(organization, integrations);
  const integration = integrations.get(provider) ?? createIntegration(organization, provider);
  integrations.set(provider, integration);
  return integration;
}

async function createIntegration({ owner }: TestOrganization, provider: string): Promise<Made> {
  return (await owner.post<Made>(`integrations/${provider}/`, INTEGRATIONS[provider]?.())).body;
}

/** Returns a pull or a push that has run, its run, and its step. */
async function createBelow(owner: RawClient, { url }: Made, path: string): Promise<string[]> {
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

/** Users can delete the pulls that they created, but not every provider has such pulls. */
async function pulled(owner: RawClient, url: string, path: string): Promise<Made> {
  const pull = path.includes('github')
    ? (await owner.get<Page<Made>>(`${url}pulls/`)).body.results[0]
    : (await owner.post<Made>(`${url}pulls/`, { ...PUSH, name: account() })).body;
  if (!pull) throw new Error(`${url} has no pull.`);
  await owner.post(`${pull.url}sync/`, {});
  return pull;
}
