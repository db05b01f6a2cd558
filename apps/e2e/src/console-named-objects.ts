import { randomUUID } from 'node:crypto';
import type { Group, Organization, ParameterType, User } from '@strata/contract';
import type { Reply, RunningCore, TestOrganization } from '@strata/testkit';
import { applyChangesetTo } from './console-platform.ts';
import { placeholderName, storeName } from './stored-names.ts';

/** Creates an organization with a name, and one object of each kind with the same name. The name can be one that the API rejects. */
export async function createNamedObjects(core: RunningCore, name: string): Promise<TestOrganization> {
  const organization = await core.organization();
  const { owner } = organization;
  const environment = await organization.environmentNamed('default');
  const placeholder = placeholderName();
  const namedDescription = { name: placeholder, description: name };
  const [text] = (await owner.get<{ results: ParameterType[] }>('types/?name=string')).body.results;
  await applyChangesetTo(organization, [
    { operation: 'types_create', body: { ...namedDescription, parent: text?.id } },
    { operation: 'projects_create', body: namedDescription },
    { operation: 'environments_create', body: { ...namedDescription, parent: environment.id } },
    {
      set: {
        project: placeholder,
        environment: placeholder,
        create_missing: true,
        values: { [placeholder]: 'a value' },
      },
    },
  ]);
  const group = await owner.post<Group>('groups/', { ...namedDescription, users: [] });
  await storeName(core.database.url, placeholder, name);
  const responses: Reply[] = [group];
  responses.push(
    await owner.post('serviceaccounts/', { name, description: name, role: 'VIEWER' }),
    await owner.post('webhooks/', {
      name,
      type: 'slack',
      event_types: ['project_created'],
      configuration: { token: `xoxb-${randomUUID()}`, channel: '#changes', username: name },
    }),
  );
  const [type] = (await owner.get<{ results: ParameterType[] }>(`types/?name=${encodeURIComponent(name)}`)).body
    .results;
  responses.push(await owner.post(`${type?.url}rules/`, { type: 'regex', constraint: '[\u05d0-\u05ea]+' }));
  const { url: scope } = await organization.environmentNamed(name);
  responses.push(await owner.post(`${scope}tags/`, { name: 'v1', description: name }));
  const { url: principal } = (await owner.get<User>('users/current/')).body;
  responses.push(await owner.post('grants/', { principal, scope, role: 'OWNER' }));
  responses.push(await owner.post('grants/', { principal: group.body.url, scope, role: 'ADMIN' }));
  responses.push(await owner.patch<Organization>(`organizations/${organization.id}/`, { name }));
  for (const response of responses) if (response.status >= 300) throw new Error(response.text);
  return organization;
}
