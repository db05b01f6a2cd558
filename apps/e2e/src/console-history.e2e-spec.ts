import { randomUUID } from 'node:crypto';
import type { AppliedChangeset, Project } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const [FIRST_CANARY, SECOND_CANARY] = [`canary-${randomUUID()}`, `canary-${randomUUID()}`];

/** Creates `web` with three changesets: one creates values, one changes them, and one removes a value. */
async function createHistory() {
  const organization = await core().organization();
  const apply = async (message: string, operations: readonly object[]) => {
    const { body } = await organization.owner.post<AppliedChangeset>('changesets/', { message, operations });
    return body.revision;
  };
  const set = (environment: string, values: object) => ({
    set: { project: 'web', environment, create_missing: true, values },
  });
  const createdRevision = await apply('A shop on the web', [
    { operation: 'projects_create', body: { name: 'web' } },
    set('default', { PORT: '80', TOKEN: { value: FIRST_CANARY, secret: true }, GONE: 'soon' }),
  ]);
  const released = await apply('Release 42 of the shop', [
    set('production', { PORT: 'tls443', TOKEN: { value: SECOND_CANARY, secret: true } }),
  ]);
  const removed = await apply('Tidied up', [{ unset: { project: 'web', environment: 'default', names: ['GONE'] } }]);
  return { organization, created: createdRevision, released, removed };
}

/** Creates more changesets than fit on a page. */
async function createManyChangesets(organization: TestOrganization): Promise<void> {
  const parameter = await organization.parameter({ project: await organization.project({ name: 'busy' }), name: 'N' });
  const value = await organization.value({ parameter, internal_value: '0' });
  for (let at = 1; at < 30; at += 1) await organization.owner.patch(value.url, { internal_value: String(at) });
}

describe(`the history in the console${reason}`, () => {
  journey('shows who changed what and why, and every page and filter has a URL', async () => {
    const { organization, released } = await createHistory();
    await createManyChangesets(organization);
    const person = await signedIn(organization, '/history');
    const { page } = person;
    await page.getByText('set N in default').first().waitFor();
    expect(await page.getByText('A shop on the web').count()).toBe(0);
    await page.getByRole('link', { name: 'Older' }).click();
    await page.getByText('A shop on the web').waitFor();
    const older = page.url();

    await page.getByLabel('Project', { exact: true }).selectOption('web');
    await page.getByText('3 changesets').waitFor();
    expect(new URL(page.url()).search).toBe('?project=web');
    await page.getByLabel('Message').fill('release 42');
    await page.getByLabel('Message').press('Enter');
    await page.getByText('1 changeset', { exact: true }).waitFor();
    await page.reload();
    await page.getByText('Release 42 of the shop').click();
    await page.waitForURL(`**/history/${released}`);
    await page.goto(older);
    await page.getByText('A shop on the web').waitFor();

    expect(await person.allErrors()).toEqual([]);
  });

  journey('shows the effective values that a changeset changed, with secrets masked', async () => {
    const { organization, released } = await createHistory();
    const person = await signedIn(organization, `/history/${released}`);
    const { page } = person;
    const changes = page.getByRole('region', { name: 'Effective changes' });
    const port = changes.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'PORT' }) });
    await port.waitFor();

    expect(await port.textContent()).toBe('PORTproduction80 becomes tls443');
    const token = changes.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'TOKEN' }) });
    expect(await token.textContent()).toMatch(/^TOKENproduction•+secret becomes •+secret$/);
    expect(await page.getByRole('region', { name: 'Changed objects' }).getByRole('row').count()).toBe(3);
    const readable = await person.everythingReadable();
    for (const canary of [FIRST_CANARY, SECOND_CANARY]) expect(readable).not.toContain(canary);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('shows the timeline of a parameter and of an environment', async () => {
    const { organization, created: createdRevision, released } = await createHistory();
    const person = await signedIn(organization, '/projects/web/history/PORT');
    const { page } = person;
    await page.getByText('not set becomes tls443').waitFor();
    const occasions = page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: page.getByRole('time') });

    expect(await occasions.count()).toBe(2);
    expect(await occasions.nth(0).textContent()).toContain(`revision ${released}productionnot set becomes tls443`);
    expect(await occasions.nth(1).textContent()).toContain(
      `revision ${createdRevision}Restore to this revisioncreated the parameterdefaultnot set becomes 80`,
    );
    await person.open('/projects/web/history/TOKEN');
    await page.getByText('secret string of').waitFor();
    await page.getByText('created the parameter').waitFor();
    expect(await person.everythingReadable()).not.toContain(SECOND_CANARY);
    await person.open('/history/environments/production');
    await page.getByText('1 changeset in this environment').waitFor();
    const release = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Release 42 of the shop' });
    expect(await release.textContent()).toContain('set PORT in production, set TOKEN in production');
    await release.getByRole('link', { name: `revision ${released}` }).click();
    await page.getByRole('heading', { name: 'Release 42 of the shop' }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('explains why a text can no longer be evaluated', async () => {
    const { organization } = await createHistory();
    const { body: projects } = await organization.owner.get<{ results: Project[] }>('projects/?name=web');
    const [project] = projects.results;
    if (!project) throw new Error('There is no project.');
    const share = await organization.parameter({ project, name: 'SHARE' });
    await organization.value({ parameter: share, internal_value: '{{ PORT }}'.repeat(17), interpolated: true });
    const { body } = await organization.owner.post<AppliedChangeset>('changesets/', {
      operations: [{ set: { project: 'web', environment: 'staging', values: { PORT: 'x'.repeat(65_000) } } }],
    });
    const person = await signedIn(organization, `/history/${body.revision}`);
    const changes = person.page.getByRole('region', { name: 'Effective changes' });
    const failing = changes.getByRole('listitem').filter({ has: person.page.getByRole('link', { name: 'SHARE' }) });

    await failing.getByText('can’t be resolved').waitFor();
    const { body: timeline } = await organization.owner.get<{ results: { problem?: string }[] }>(
      `changesets/${body.revision}/effective/`,
    );
    const why = timeline.results.flatMap(({ problem }) => problem ?? []);
    expect(why).toHaveLength(1);
    expect(await failing.textContent()).toContain(why[0]);
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('links from a changeset to a comparison of before and after', async () => {
    const { organization, released } = await createHistory();
    const person = await signedIn(organization, `/history/${released}`);
    const { page } = person;
    await page.getByRole('link', { name: 'Compare web' }).click();
    await page.getByText('2 parameters differ').waitFor();
    const { searchParams } = new URL(page.url());
    expect([searchParams.get('from'), searchParams.get('to')]).toEqual([`r${released - 1}`, `r${released}`]);
    expect(await person.everythingReadable()).not.toContain(SECOND_CANARY);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('does not show values of a forbidden project', async () => {
    const { organization, released } = await createHistory();
    const { body } = await organization.owner.get<{ results: { url: string }[] }>('projects/?name=web');
    await organization.owner.post('grants/', {
      principal: (await organization.owner.get<{ url: string }>('users/current/')).body.url,
      role: 'OWNER',
      scope: body.results[0]?.url,
    });
    const person = await signedIn(organization, `/history/${released}`);

    await person.page.getByText('Hidden (no access).').waitFor();

    const readable = await person.everythingReadable();
    for (const hidden of ['Release 42', 'tls443', 'PORT']) expect(readable).not.toContain(hidden);
  });

  journey('is accessible and fits the screen in every theme and screen size', async () => {
    const { organization, released } = await createHistory();
    const person = await signedIn(organization, '/history');
    const pages = {
      '/history': 'Release 42 of the shop',
      [`/history/${released}`]: '80 becomes tls443',
      '/projects/web/history/PORT': 'not set becomes tls443',
      '/history/environments/production': '1 changeset in this environment',
    };
    await person.page.getByText('Release 42 of the shop').waitFor();
    for (const [address, expectedText] of Object.entries(pages)) {
      await person.open(address);
      await person.page.getByText(expectedText).waitFor();
      expect([address, await person.violationsInEveryLook()]).toEqual([address, []]);
    }
    expect(await person.allErrors()).toEqual([]);
  });
});
