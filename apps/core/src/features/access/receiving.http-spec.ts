import type { Delivery, Page } from '@strata/contract';
import { type FakeChat, startFakeChat } from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';

let core: CoreInProcess;
let chat: FakeChat;
beforeAll(async () => {
  chat = await startFakeChat();
  core = await startCoreInProcess({ STRATA_SLACK_API_URL: chat.url });
});
afterAll(async () => {
  await core.close();
  await chat.close();
});

describe('a chat channel', () => {
  it('receives nothing of a controlled scope, because Strata does not know who reads the channel', async () => {
    const organization = await core.organization();
    const production = await organization.environmentNamed('production');
    const parameter = await organization.parameter();
    const hidden = await organization.value({ parameter, environment: production });
    const shownValue = await organization.value({ parameter });
    await organization.owner.patch(production.url, { access_controlled: true });
    const webhook = await organization.webhook();

    await organization.owner.patch(shownValue.url, { internal_value: 'zero' });
    await chat.waitFor(1);
    await organization.owner.patch(hidden.url, { internal_value: 'one' });
    await organization.owner.patch(shownValue.url, { internal_value: 'two' });
    await chat.waitFor(2);
    await organization.owner.patch(production.url, { access_controlled: false });
    await organization.owner.patch(hidden.url, { internal_value: 'three' });
    await chat.waitFor(3);

    const [, second, third] = chat.messages().map((message) => JSON.stringify(message));
    const listTexts = async (as: 'VIEWER' | 'ADMIN') =>
      (await organization.as(as).get<Page<Delivery>>(`${webhook.url}deliveries/`)).body.results.map(({ text }) => text);
    await organization.owner.patch(production.url, { access_controlled: true });

    // The message in between may report hidden events, too. Then it must reveal nothing either.
    const [last, , oldest] = await listTexts('VIEWER');
    expect([last, oldest]).toEqual([null, expect.stringContaining('default')]);
    expect(await listTexts('ADMIN')).toEqual(
      ['production', 'default', 'default'].map((name) => expect.stringContaining(name)),
    );
    expect(second).toContain('default');
    expect(second).not.toContain('production');
    expect(third).toContain('production');
  });
});
