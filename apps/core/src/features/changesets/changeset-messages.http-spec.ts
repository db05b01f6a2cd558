import type { AppliedChangeset, EventPage } from '@strata/contract';
import { ChatFixture, channelOf, untilReceived } from '../../testing/chat-fixture.ts';

let at: ChatFixture;
beforeAll(async () => {
  at = await ChatFixture.open();
});
afterAll(() => at.close());

const NAMES = Array.from({ length: 600 }, (_, n) => `NAME_${n}`);

it('a changeset of any size causes one message per webhook, which contains its reason', async () => {
  const org = await at.core.organization();
  const hook = await at.webhook(org);
  const { body: before } = await org.owner.get<EventPage>('events/?after=now');
  const values = Object.fromEntries(NAMES.map((name) => [name, { value: 'canary-text', secret: true }]));

  const applied = await org.owner.post<AppliedChangeset>('changesets/', {
    message: 'a <!channel> release',
    operations: [
      { operation: 'projects_create', as: 'web', body: { name: 'web' } },
      { set: { project: { $ref: 'web' }, environment: 'default', values, create_missing: true } },
    ],
  });
  expect([applied.status, applied.status === 201 ? '' : applied.text]).toEqual([201, '']);

  const events = 1 + 2 * NAMES.length;
  const deliveries = await untilReceived(org, hook, events);
  expect(deliveries).toMatchObject([{ events, revision: applied.body.revision }]);
  const messages = at.chat.messages(channelOf(hook));
  expect(messages).toHaveLength(1);
  const sent = JSON.stringify(messages);
  expect(sent).toContain('a &lt;!channel&gt; release');
  expect(sent + applied.text).not.toContain('canary-text');
  const { body: page } = await org.owner.get<EventPage>(`events/?limit=500&after=${before.cursor}`);
  const ours = { changeset: applied.body.revision, message: 'a <!channel> release' };
  expect(new Set(page.results.map(({ changeset, message }) => JSON.stringify({ changeset, message })))).toEqual(
    new Set([JSON.stringify(ours)]),
  );
  expect(JSON.stringify(page)).not.toContain('canary-text');
});
