import type { DestinationCreated, Webhook } from '@strata/contract';
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
  const names: Readonly<Record<string, string>> = {
    name: 'web',
    parameter: 'GREETING',
    environment: 'production',
    template: 'page',
    type: 'integer',
    revision: '2',
    webhook: webhook.body.id,
    destination: destination.body.id,
    '': 'no-such-page',
  };
  const searches: Readonly<Record<string, string>> = { '/history/return': '?to=2&project=web' };
  const fillPath = (path: string) => path.replaceAll(/\$(\w*)/g, (_, key) => names[key] ?? '') + (searches[path] ?? '');
  return { organization, web, addresses: new Map(routePaths().map((path) => [path, fillPath(path)])) };
}
