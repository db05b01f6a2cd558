import type { Group, InvitationCreated, ServiceAccountCreated, Tag, Template, Webhook } from '@strata/contract';
import type { Page } from 'playwright-core';
import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

/** The first words of buttons and links that delete or end something. Drafts that are discarded can be restored, so they do not count. */
const DESTRUCTIVE =
  /^(Delete|Remove(?! override| from favourites)|Withdraw|Leave|End|Revoke|Sign out everywhere|Discard and)/;

interface PageElement {
  readonly ariaLabel: string | null;
  readonly textContent: string;
  checkVisibility(): boolean;
}

/** Returns the names of the shown buttons and links that delete or end something, and whether they are red. */
async function destructiveIn(page: Page): Promise<readonly (readonly [name: string, isRed: boolean])[]> {
  const shownButtons = await page.locator('main, dialog').evaluateAll((regions) => {
    const { document, getComputedStyle } = globalThis as unknown as {
      document: {
        createElement(tag: string): { style: { color: string }; remove(): void };
        body: { append(child: object): void };
      };
      getComputedStyle(element: object): { readonly color: string };
    };
    const probe = document.createElement('i');
    probe.style.color = 'var(--danger)';
    document.body.append(probe);
    const red = getComputedStyle(probe).color;
    probe.remove();
    return (regions as unknown as { querySelectorAll(selector: string): Iterable<PageElement> }[])
      .flatMap((region) => [...region.querySelectorAll('a, button')])
      .filter((element) => element.checkVisibility())
      .map(
        (element) =>
          [element.ariaLabel ?? element.textContent.trim(), getComputedStyle(element).color === red] as const,
      );
  });
  return shownButtons.filter(([name]) => DESTRUCTIVE.test(name));
}

/** Creates one object of each kind that can be deleted. */
async function createAll() {
  const { organization, web } = await createPlatform(await core().organization());
  const { owner } = organization;
  const production = await organization.environmentNamed('production');
  const configuration = { token: 'xoxb-1', channel: '#changes', username: 'strata' };
  const webhook = await owner.post<Webhook>('webhooks/', {
    name: 'changes',
    type: 'slack',
    event_types: ['project_created'],
    configuration,
  });
  const createdObjects = [
    webhook,
    await owner.post<Template>(`${web.url}templates/`, { name: 'page', body: 'x' }),
    await owner.post<Tag>(`${production.url}tags/`, { name: 'v1' }),
    await owner.post<Group>('groups/', {
      name: 'operators',
      users: [(await owner.get<{ url: string }>('users/current/')).body.url],
    }),
    await owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'robot', role: 'VIEWER' }),
    await owner.post<InvitationCreated>('invitations/', { email: 'ada@example.com', role: 'VIEWER' }),
    await owner.post('types/', {
      name: 'port',
      parent: (await owner.get<{ results: { url: string }[] }>('types/?name=integer')).body.results[0]?.url,
    }),
    await owner.patch(web.url, { access_controlled: true }),
  ];
  for (const { status, text } of createdObjects) if (status >= 300) throw new Error(text);
  const [type] = (await owner.get<{ results: { url: string }[] }>('types/?name=port')).body.results;
  const rule = await owner.post<{ id: string }>(`${type?.url}rules/`, { type: 'min', constraint: '1' });
  const [tag] = (await owner.get<{ results: Tag[] }>(`${production.url}tags/`)).body.results;
  return { organization, webhook: webhook.body.id, rule: rule.body.id, tag: tag?.id };
}

describe(`buttons that delete or end something${reason}`, () => {
  journey('are red on every page and in every dialog', async () => {
    const { organization, webhook, rule, tag } = await createAll();
    const person = await signedIn(organization, '/account', { role: 'OWNER' });
    const { page } = person;
    const names = new Set<string>();
    const notRed: string[] = [];
    const collect = async () => {
      for (const [name, isRed] of await destructiveIn(page)) {
        names.add(name);
        if (!isRed) notRed.push(`${name} in ${new URL(page.url()).pathname}`);
      }
    };
    /** Opens a page, and with each further name the dialog or form behind that button. */
    const visit = async (address: string, ...buttons: readonly RegExp[]) => {
      for (const button of [null, ...buttons]) {
        await page.goto(address);
        await page.getByText('Loading Strata …').waitFor({ state: 'hidden' });
        await page.getByText('Loading …', { exact: true }).waitFor({ state: 'detached' });
        if (button) {
          await page.getByRole('main').getByRole('button', { name: button }).first().click();
          await page
            .locator('button, a')
            .getByText(/^(Cancel|Close)$/)
            .or(page.getByLabel('Close'))
            .first()
            .waitFor();
        }
        await page.waitForLoadState('networkidle');
        await collect();
      }
    };
    await visit('/account', /^Sign out everywhere/);
    await visit('/access', /^Remove/, /^Leave/, /^Withdraw/);
    await visit('/access/groups', /^Delete/, /^Members/);
    await visit('/access/service-accounts', /^Delete/);
    await visit('/organization', /^Delete organization/);
    await visit(`/webhooks/${webhook}`, /^Delete/);
    await visit('/projects/web/templates/page', /^Delete/);
    for (const address of [
      '/projects/web/settings?do=delete',
      '/projects/web/settings?do=access',
      '/projects/web/parameters/GREETING?do=delete',
      '/environments/staging?do=delete',
      '/types/port?do=delete',
      `/types/port?do=delete-rule&what=${rule}`,
      `/environments/production?do=delete-tag&what=${tag}`,
    ]) {
      await person.open(address);
      await page
        .getByRole('button', { name: /^(Delete|Remove)/ })
        .last()
        .waitFor();
      await collect();
    }

    expect(notRed).toEqual([]);
    expect([...names].sort()).toEqual([
      'Delete',
      'Delete Smallest number',
      'Delete of robot',
      'Delete operators',
      'Delete organization',
      'Delete organization …',
      'Delete rule',
      'Delete template',
      'Delete type',
      'Delete v1',
      'End this session of Chrome on Linux',
      'Leave',
      'Remove',
      'Remove Owner',
      'Remove restriction',
      'Sign out everywhere',
      'Sign out everywhere …',
      'Withdraw',
      'Withdraw the invitation of ada@example.com',
    ]);
    expect(await person.allErrors()).toEqual([]);
  });
});
