import { randomUUID } from 'node:crypto';
import type { Webhook } from '@strata/contract';
import { type FakeChat, type OwnCore, startCore, startFakeChat, type TestOrganization } from '@strata/testkit';
import type { Page as BrowserPage, Locator } from 'playwright-core';
import { setUpConsoleTests } from './console-journeys.ts';

let chat: FakeChat;
let ownCore: OwnCore;
const { journey, reason, core, signedIn } = await setUpConsoleTests(async () => {
  chat = await startFakeChat();
  ownCore = await startCore({ STRATA_SLACK_API_URL: chat.url });
  return ownCore;
});
afterAll(async () => {
  await ownCore?.close();
  await chat?.close();
});

/** Returns a new token, which must not be shown after it was stored. */
const newToken = () => `xoxb-canary-${randomUUID()}`;
/** Returns a new channel for one test, so that messages of other tests do not delay its messages. */
const newChannel = () => `#c${randomUUID().slice(0, 8)}`;

async function createWebhook(organization: TestOrganization, more: object = {}): Promise<Webhook> {
  const configuration = { token: newToken(), channel: newChannel(), username: 'Strata', ...more };
  const input = { name: 'changes', type: 'slack', event_types: ['project_created'], configuration };
  const { status, body, text } = await organization.owner.post<Webhook>('webhooks/', input);
  if (status !== 201) throw new Error(text);
  return body;
}

/** Creates a webhook that is suspended because the chat service rejected its token. */
async function createSuspended(organization: TestOrganization, name: string): Promise<Webhook> {
  const webhook = await createWebhook(organization);
  await organization.owner.patch(webhook.url, { name });
  chat.script({ kind: 'error', error: 'token_revoked' });
  await organization.project({ name: `tells-${name}` });
  for (;;) {
    const { body } = await organization.owner.get<Webhook>(webhook.url);
    if (body.state === 'suspended') return body;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const main = (page: BrowserPage) => page.getByRole('main');

describe(`webhooks in the console${reason}`, () => {
  journey('are created with the help of the empty page, tested, and never show their token again', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/projects', { role: 'ADMIN' });
    const { page } = person;
    const [token, channel] = [newToken(), newChannel()];
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Webhooks' }).click();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    await page.getByRole('link', { name: 'Create webhook' }).click();
    await page.getByRole('heading', { name: 'Set up the app in Slack' }).waitFor();
    const scopes = await page.getByRole('complementary').getByRole('term').allTextContents();
    expect(scopes).toEqual(['chat:write', 'chat:write.public', 'chat:write.customize']);
    await page.getByLabel('Name', { exact: true }).fill('Changes of values');
    await page.getByLabel('Bot token').fill(token);
    await page.getByLabel('Channel').fill(channel);
    await page.getByRole('checkbox', { name: 'Projects created' }).check();
    await page.getByRole('button', { name: 'Create webhook' }).dblclick();

    await page.getByRole('heading', { name: 'Changes of values' }).waitFor();
    await page.getByText('values created, updated, deleted; projects created').waitFor();
    expect(await person.everythingReadable()).not.toContain(token);
    await page.getByRole('button', { name: 'Send test message' }).click();
    await page.getByText(`Delivered to ${channel}.`).waitFor();

    expect(chat.messages(channel)).toMatchObject([{ username: 'Strata', authorization: `Bearer ${token}` }]);
    await main(page).getByText('Test message: the webhook Changes of values can post here.').waitFor();
    await page.getByRole('link', { name: 'Change', exact: true }).click();
    await page.getByText(`*****${token.slice(-4)}`).waitFor();
    expect(await person.everythingReadable()).not.toContain(token);
    await page.goto('/webhooks');
    await page.getByText('Last message delivered').waitFor();
    expect(await main(page).getByRole('listitem').count()).toBe(1);
    expect(await person.everythingReadable()).not.toContain(token.slice(-4));
    expect(await person.allErrors()).toEqual([]);
  });

  journey('show errors at their fields, and keep what was typed', async () => {
    const organization = await core().organization();
    const person = await signedIn(organization, '/webhooks/new', { role: 'ADMIN' });
    const { page } = person;
    await page.getByLabel('Name', { exact: true }).fill('Changes');
    await page.getByLabel('Bot token').fill('*****WXYZ');
    await page.getByLabel('Channel').fill('#changes');
    await page.getByRole('button', { name: 'All events' }).click();
    await page.getByRole('button', { name: 'None' }).click();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByRole('alert').filter({ hasText: 'Choose at least one event type.' }).waitFor();

    await page.getByRole('checkbox', { name: 'Values updated' }).check();
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText('This is a masked token. Enter the token itself.').waitFor();
    expect(await page.getByLabel('Bot token').getAttribute('aria-invalid')).toBe('true');
    expect(await page.getByLabel('Channel').inputValue()).toBe('#changes');
    expect(await person.accessibilityViolations()).toEqual([]);
    expect((await organization.owner.get<{ count: number }>('webhooks/')).body.count).toBe(0);
  });

  journey('show what the chat service rejected, and continue with another channel and the same token', async () => {
    const organization = await core().organization();
    const token = newToken();
    const webhook = await createWebhook(organization, { token });
    const person = await signedIn(organization, `/webhooks/${webhook.id}`, { role: 'ADMIN' });
    const { page } = person;
    await page.getByRole('heading', { name: 'changes' }).waitFor();
    chat.script({ kind: 'error', error: 'channel_not_found' });
    await page.getByRole('button', { name: 'Send test message' }).click();
    const alert = page.getByRole('alert');
    await alert.filter({ hasText: 'Rejected: channel_not_found (HTTP 200' }).waitFor();
    expect(await alert.textContent()).toMatch(/Check the channel of the webhook/);

    const otherChannel = newChannel();
    await page.getByRole('link', { name: 'Change', exact: true }).click();
    await page.getByLabel('Channel').fill(otherChannel);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Send test message' }).click();
    await page.getByText(`Delivered to ${otherChannel}.`).waitFor();
    expect(chat.messages(otherChannel)).toMatchObject([{ authorization: `Bearer ${token}` }]);
    expect(await person.everythingReadable()).not.toContain(token);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are listed first if suspended, show the reason, and send waiting messages once resumed', async () => {
    const organization = await core().organization();
    const otherWebhook = await createWebhook(organization);
    await organization.owner.patch(otherWebhook.url, { event_types: ['environment_deleted'] });
    const broken = await createSuspended(organization, 'zebra');
    const person = await signedIn(organization, '/webhooks', { role: 'ADMIN' });
    const { page } = person;
    await main(page).getByRole('listitem').first().waitFor();
    const lines = await main(page).getByRole('listitem').allTextContents();
    expect(lines.map((line) => line.startsWith('zebra'))).toEqual([true, false]);
    expect(lines[0]).toContain('The chat service rejects its token (token_revoked).');

    await page.getByRole('link', { name: 'Home' }).click();
    const failing = page.getByRole('region', { name: 'Failing webhooks' });
    await failing.getByText('The chat service rejects its token (token_revoked).').waitFor();
    expect(await failing.getByRole('listitem').count()).toBe(1);
    await failing.getByRole('link', { name: 'zebra', exact: true }).click();
    await page.getByText('The token was revoked.').first().waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Waiting' }).waitFor();
    chat.script({ kind: 'error', error: 'token_revoked' });
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('It was resumed and rejected again.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('Resumed. Waiting messages are being sent.').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Delivered' }).waitFor();

    const [chatMessage] = await chat.waitFor(1, broken.configuration.channel);
    expect(chatMessage?.text).toContain('tells-zebra');
    expect(await page.getByRole('button', { name: 'Resume' }).count()).toBe(0);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are framed if suspended, also if the browser forces its own colours', async () => {
    const organization = await core().organization();
    const { id } = await createSuspended(organization, 'zebra');
    await createWebhook(organization);
    const person = await signedIn(organization, '/webhooks', { role: 'ADMIN', look: { forcedColors: 'active' } });
    const { page } = person;
    const measureFrame = (target: Locator) =>
      target.evaluate((element) => {
        const { getComputedStyle } = globalThis as unknown as {
          getComputedStyle(element: unknown): { borderStyle: string };
        };
        return getComputedStyle(element).borderStyle;
      });
    const line = (name: string) => main(page).getByRole('listitem').filter({ hasText: name });
    await line('zebra').waitFor();
    expect([await measureFrame(line('zebra')), await measureFrame(line('changes'))]).toEqual(['solid', 'none']);

    await page.goto(`/webhooks/${id}`);
    const reason = page.getByRole('status').filter({ hasText: 'The chat service rejects its token' });
    await reason.waitFor();
    expect(await measureFrame(reason)).toBe('solid');
    expect(await person.allErrors()).toEqual([]);
  });

  journey('list each message with its attempts and its next attempt, and send one again', async () => {
    const organization = await core().organization();
    const { id, configuration } = await createWebhook(organization);
    await organization.project({ name: 'arrived' });
    await chat.waitFor(1, configuration.channel);
    chat.script({ kind: 'error', error: 'message_limit_exceeded' });
    await organization.project({ name: 'delayed' });
    const person = await signedIn(organization, `/webhooks/${id}`, { role: 'ADMIN' });
    const { page } = person;
    const delayed = page.getByRole('listitem').filter({ hasText: 'created project delayed' });
    await delayed.getByText(/next attempt (in|now|within)/).waitFor();
    await delayed.getByText('1 attempt').click();
    await delayed.getByText('Rejected: message_limit_exceeded (HTTP 200').waitFor();
    expect(await delayed.getByRole('button').count()).toBe(0);
    await delayed.getByText('1 event', { exact: true }).waitFor();
    await delayed.getByText('later events wait for this message').waitFor();

    await page.getByLabel('State').selectOption('Delivered');
    await page.waitForURL('**?state=delivered');
    await delayed.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: /^Send again/ }).click();
    await page.getByText(/^Delivered to/).waitFor();
    const secondList = chat.messages(configuration.channel).filter(({ text }) => text.includes('project arrived'));
    expect(secondList).toHaveLength(2);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are not changed over an unseen change of another user', async () => {
    const organization = await core().organization();
    const webhook = await createWebhook(organization);
    const [theirs, mine] = [newChannel(), newChannel()];
    const person = await signedIn(organization, `/webhooks/${webhook.id}/change`, { role: 'ADMIN' });
    const { page } = person;
    await page.getByLabel('Channel').fill(mine);
    await page.getByRole('checkbox', { name: 'Values deleted' }).check();
    await organization.owner.patch(webhook.url, { name: 'theirs', configuration: { channel: theirs } });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByRole('alert')
      .filter({ hasText: `it is “${theirs}” now` })
      .waitFor();
    expect((await organization.owner.get<Webhook>(webhook.url)).body.configuration.channel).toBe(theirs);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('heading', { name: 'theirs' }).waitFor();

    expect((await organization.owner.get<Webhook>(webhook.url)).body).toMatchObject({
      name: 'theirs',
      event_types: ['value_deleted', 'project_created'],
      configuration: { channel: mine },
    });
    expect(await person.allErrors()).toEqual([]);
  });

  journey('split their deliveries into pages', async () => {
    const organization = await core().organization();
    const { id, url } = await createWebhook(organization);
    await Promise.all(Array.from({ length: 27 }, () => organization.owner.post(`${url}test/`)));
    const person = await signedIn(organization, `/webhooks/${id}`);
    const { page } = person;
    const rows = page.getByRole('region', { name: 'Deliveries' }).locator('> ol > li');
    await page.getByRole('heading', { name: 'Deliveries 27' }).waitFor();
    await rows.nth(24).waitFor();
    expect(await rows.count()).toBe(25);

    await page.getByRole('link', { name: 'Older' }).click();
    await rows.nth(24).waitFor({ state: 'detached' });
    expect(await rows.count()).toBe(2);
    await page.getByRole('link', { name: 'Newest' }).click();
    await rows.nth(24).waitFor();
  });

  journey('are deleted after a confirmation, and show changes of other users at once', async () => {
    const organization = await core().organization();
    const webhook = await createWebhook(organization);
    const person = await signedIn(organization, `/webhooks/${webhook.id}`, { role: 'ADMIN' });
    const { page } = person;
    await page.getByRole('heading', { name: 'changes' }).waitFor();
    await organization.owner.patch(webhook.url, { name: 'renamed' });
    await page.getByRole('heading', { name: 'renamed' }).waitFor();

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect((await organization.owner.get(webhook.url)).status).toBe(200);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { name: 'No webhooks yet' }).waitFor();
    expect((await organization.owner.get(webhook.url)).status).toBe(404);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are read-only for a viewer, and show nothing of the token', async () => {
    const organization = await core().organization();
    const token = newToken();
    const { id, url } = await createWebhook(organization, { token });
    await organization.owner.post(`${url}test/`);
    const person = await signedIn(organization, '/webhooks', { role: 'VIEWER' });
    const { page } = person;
    await page.getByText('You can read webhooks but not change them.').waitFor();
    await page.getByRole('link', { name: 'changes' }).click();
    await page.getByText('Test message: the webhook changes can post here.').waitFor();
    expect(await main(page).getByRole('button').count()).toBe(0);
    expect(await person.everythingReadable()).not.toContain(token.slice(-4));
    for (const address of ['/webhooks/new', `/webhooks/${id}/change`]) {
      await person.open(address);
      await page.getByText('You can read webhooks but not change them.').waitFor();
      expect(await main(page).getByRole('textbox').count()).toBe(0);
    }
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are accessible and fit the screen in every theme and screen size', async () => {
    const organization = await core().organization();
    const suspended = await createSuspended(organization, 'zebra');
    await createWebhook(organization);
    const person = await signedIn(organization, '/webhooks', { role: 'ADMIN' });
    const pages = {
      '/webhooks': 'Nothing sent yet',
      '/webhooks/new': 'Set up the app in Slack',
      [`/webhooks/${suspended.id}`]: 'created project tells-zebra',
      [`/webhooks/${suspended.id}/change`]: 'Leave this empty to keep it.',
    };
    await person.page.getByText('Nothing sent yet').waitFor();
    for (const [address, expectedText] of Object.entries(pages)) {
      await person.open(address);
      await person.page.getByText(expectedText).first().waitFor();
      expect([address, await person.violationsInEveryLook()]).toEqual([address, []]);
    }
    expect(await person.allErrors()).toEqual([]);
  });
});
