import type { Event, EventPage, Grant, Group, ServiceAccountCreated, Template } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { ListeningClient } from '../../testing/listening-client.ts';
import { controlledProject, createGrant, createMember } from '../../testing/members.ts';
import { createTypeBelow } from '../../testing/types.ts';

let core: RunningCore;
let organization: TestOrganization;
beforeAll(async () => {
  core = await sharedCore();
});
beforeEach(async () => {
  organization = await core.organization();
});

const NOUNS = ['type', 'template', 'tag', 'membership', 'invitation', 'group', 'grant', 'service_account', 'webhook'];
const FURTHER = NOUNS.flatMap((noun) => ['created', 'updated', 'deleted'].map((past) => `${noun}_${past}`)).join();

async function received(query: string, client = organization.owner): Promise<readonly Event[]> {
  return (await client.get<EventPage>(`events/?${query}`)).body.results;
}

const describeEvent = ({ type, object }: Event) => `${type} ${object.type} ${object.name}`;

describe('further events', () => {
  it('about types and rules, templates, tags, people, grants, service accounts and webhooks are sent to subscribers who request them', async () => {
    const { owner } = organization;
    const { cursor } = (await owner.get<EventPage>('events/?after=now')).body;
    const type = await createTypeBelow(organization, 'integer', 'port');
    await owner.post(`${type.url}rules/`, { type: 'max', constraint: '65535' });
    const project = await organization.project({ name: 'shop' });
    const template = (await owner.post<Template>(`${project.url}templates/`, { name: 'file', body: '' })).body;
    await owner.patch(template.url, { description: 'x' });
    const { url } = await organization.environmentNamed('production');
    await owner.post(`${url}tags/`, { name: 'v1' });
    await owner.post('invitations/', { email: 'ada@example.com', role: 'VIEWER' });
    const group = (await owner.post<Group>('groups/', { name: 'team', users: [] })).body;
    await owner.patch(group.url, { name: 'crew' });
    const account = (await owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'ci', role: 'VIEWER' })).body;
    await owner.post<Grant>('grants/', { principal: account.user.url, scope: project.url, role: 'OWNER' });
    const webhook = await organization.webhook({ name: 'hook' });
    await owner.delete(webhook.url);
    await owner.delete(account.url);

    const events = await received(`after=${cursor}&types=${FURTHER},project_created`);
    expect(events.map(describeEvent)).toEqual(
      expect.arrayContaining([
        'type_created ParameterType port',
        'type_updated ParameterTypeRule max',
        'project_created Project shop',
        'template_created Template file',
        'template_updated Template file',
        'tag_created Tag v1',
        'invitation_created Invitation ada@example.com',
        'group_created Group team',
        'group_updated Group crew',
        'service_account_created ServiceAccount ci',
        'grant_created Grant ci',
        'webhook_created Webhook hook',
        'webhook_deleted Webhook hook',
        'service_account_deleted ServiceAccount ci',
      ]),
    );
    expect(events.map(({ revision }) => revision)).toEqual(
      events.map(({ revision }) => revision).toSorted((a, b) => a - b),
    );
    expect((await received(`after=${cursor}&types=tag_created`)).map(describeEvent)).toEqual(['tag_created Tag v1']);
  });

  it('are not sent unless requested, but advance every cursor', async () => {
    const { owner } = organization;
    const { cursor } = (await owner.get<EventPage>('events/?after=now')).body;
    const stream = await ListeningClient.open(core.origin, { authorization: organization.ownerAuthorization });
    await organization.webhook();
    await owner.post('groups/', { name: 'team', users: [] });
    const project = await organization.project();
    await stream.until(() => stream.messages.some(({ event }) => event === 'change'));
    stream.close();

    const changes = stream.messages.filter(({ event }) => event === 'change');
    expect(changes).toMatchObject([{ data: { type: 'project_created', object: { id: project.id } } }]);
    const page = (await owner.get<EventPage>(`events/?after=${cursor}`)).body;
    expect(page.results.map(({ type }) => type)).toEqual(['project_created']);
    await owner.post('groups/', { name: 'crew', users: [] });
    const next = (await owner.get<EventPage>(`events/?after=${page.cursor}`)).body;
    expect([next.results, next.cursor === page.cursor]).toEqual([[], false]);
  });

  it('are sent at once to a stream that requested them', async () => {
    const stream = await ListeningClient.open(
      core.origin,
      { authorization: organization.ownerAuthorization },
      'types=group_created,webhook_created',
    );
    await organization.owner.post('groups/', { name: 'team', users: [] });
    await organization.project();
    await organization.webhook({ name: 'hook' });
    await stream.until(() => stream.messages.filter(({ event }) => event === 'change').length === 2);
    stream.close();

    const changes = stream.messages.filter(({ event }) => event === 'change');
    expect(changes).toMatchObject([{ data: { type: 'group_created' } }, { data: { type: 'webhook_created' } }]);
  });

  it('of a forbidden project are not sent to subscribers without access', async () => {
    const project = await controlledProject(organization);
    await organization.owner.post(`${project.url}templates/`, { name: 'secret plan', body: '' });
    const viewer = await createMember(core, organization, 'VIEWER');
    await createGrant(organization, (await createMember(core, organization)).url, project.url, 'VIEWER');

    const seen = JSON.stringify(await received(`types=${FURTHER}&limit=500`, viewer.client));
    expect(seen).not.toContain('secret plan');
    expect(seen).not.toContain('grant_created');
    expect(JSON.stringify(await received(`types=${FURTHER}&limit=500`))).toContain('secret plan');
  });

  it('cannot be chosen for a webhook', async () => {
    const response = await organization.owner.post('webhooks/', {
      name: 'hook',
      event_types: ['group_created'],
      type: 'slack',
      configuration: { token: 'xoxb-x', channel: '#c', username: 'strata' },
    });
    expect(response).toMatchObject({ status: 400, body: { event_types: expect.anything() } });
  });
});
