import type { DestinationCreated, Integration, Page, Pull, Push, Rotation, Tag, Webhook } from '@strata/contract';
import type { RunningCore } from '@strata/testkit';
import { createPlatform } from './console-platform.ts';
import { routePaths } from './console-routes.ts';

/** Creates an organization with an object for each path. Returns the addresses by path. */
export async function createOneOfEach(core: RunningCore) {
  const { organization, web } = await createPlatform(await core.organization());
  const { owner } = organization;
  await owner.post(`${web.url}templates/`, { name: 'page', body: 'x' });
  const webhook = await owner.post<Webhook>('webhooks/', {
    name: 'changes',
    type: 'slack',
    event_types: ['project_created'],
    configuration: { token: 'xoxb-1', channel: '#changes', username: 'strata' },
  });
  const destination = await owner.post<DestinationCreated>('destinations/', {
    name: 'receiver',
    type: 'http',
    event_types: ['value_updated'],
    address: 'https://hooks.example.com/strata',
  });
  const integration = await owner.post<Integration>('integrations/aws/', {
    aws_account_id: '123456789012',
    aws_role_name: 'strata',
    aws_enabled_regions: ['eu-central-1'],
    aws_enabled_services: ['secretsmanager'],
  });
  const [pull] = (await owner.get<Page<Pull>>(`${integration.body.url}pulls/`)).body.results;
  const environment = await organization.environmentNamed('production');
  const tag = await owner.post<Tag>(`${environment.url}tags/`, { name: 'stable' });
  const push = await owner.post<Push>(`${integration.body.url}pushes/`, {
    name: 'to the store',
    projects: [web.url],
    tags: [tag.body.url],
    region: 'eu-central-1',
    service: 'secretsmanager',
    resource: '/{{ parameter }}',
  });
  const parameter = await organization.parameter({ project: web, name: 'DATABASE_URL', secret: true });
  await organization.value({ parameter, environment, internal_value: 'postgresql://one:canary@db.example.com/shop' });
  const rotation = await owner.post<Rotation>('rotations/', {
    name: 'database of the shop',
    parameter: parameter.url,
    environment: environment.url,
    rotator: 'postgresql',
    credential: 'canary',
    postgresql: { host: 'db.example.com', user: 'strata', roles: ['one', 'two'] },
  });
  if (rotation.status !== 201) throw new Error(rotation.text);
  const names: Readonly<Record<string, string>> = {
    name: 'web',
    parameter: 'GREETING',
    environment: 'production',
    template: 'page',
    type: 'integer',
    revision: '2',
    webhook: webhook.body.id,
    destination: destination.body.id,
    provider: 'aws',
    integration: integration.body.id,
    pull: pull?.id ?? '',
    push: push.body.id,
    rotation: rotation.body.id,
    '': 'no-such-page',
  };
  const searches: Readonly<Record<string, string>> = { '/history/return': '?to=2&project=web' };
  const fillPath = (path: string) => path.replaceAll(/\$(\w*)/g, (_, key) => names[key] ?? '') + (searches[path] ?? '');
  return { organization, web, addresses: new Map(routePaths().map((path) => [path, fillPath(path)])) };
}
