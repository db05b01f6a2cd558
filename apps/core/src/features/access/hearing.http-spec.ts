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
  it('hears nothing of a controlled scope, since nobody knows who reads there', async () => {
    const house = await core.organization();
    const production = await house.environmentNamed('production');
    const parameter = await house.parameter();
    const hidden = await house.value({ parameter, environment: production });
    const shown = await house.value({ parameter });
    await house.owner.patch(production.url, { access_controlled: true });
    const webhook = await house.webhook();

    await house.owner.patch(shown.url, { internal_value: 'zero' });
    await chat.waitFor(1);
    await house.owner.patch(hidden.url, { internal_value: 'one' });
    await house.owner.patch(shown.url, { internal_value: 'two' });
    await chat.waitFor(2);
    await house.owner.patch(production.url, { access_controlled: false });
    await house.owner.patch(hidden.url, { internal_value: 'three' });
    await chat.waitFor(3);

    const [, second, third] = chat.messages().map((message) => JSON.stringify(message));
    const told = async (as: 'VIEWER' | 'ADMIN') =>
      (await house.as(as).get<Page<Delivery>>(`${webhook.url}deliveries/`)).body.results.map(({ text }) => text);
    await house.owner.patch(production.url, { access_controlled: true });

    // the one between may stand for what was hidden too, and then it says nothing either
    const [last, , oldest] = await told('VIEWER');
    expect([last, oldest]).toEqual([null, expect.stringContaining('default')]);
    expect(await told('ADMIN')).toEqual(
      ['production', 'default', 'default'].map((name) => expect.stringContaining(name)),
    );
    expect(second).toContain('default');
    expect(second).not.toContain('production');
    expect(third).toContain('production');
  });
});
