import { randomUUID } from 'node:crypto';
import type { Effective, Page, RecordedChangeset } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { setUpConsoleTests } from './console-journeys.ts';
import { applyChangesetTo } from './console-platform.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const CANARY = `canary-${randomUUID()}`;

const set = (environment: string, values: object) => ({
  set: { project: 'web', environment, create_missing: true, values },
});

/** Creates `web` with one changeset, and changes it with another one, a release. The tests revert the release. */
async function createRelease() {
  const organization = await core().organization();
  const project = { operation: 'projects_create', body: { name: 'web' } };
  const values = { PORT: '80', HOST: 'old.example', TOKEN: { value: 'first', secret: true } };
  const createdRevision = await applyChangesetTo(organization, [project, set('default', values)], 'A shop on the web');
  const release = { PORT: '443', HOST: 'new.example', TOKEN: { value: CANARY, secret: true } };
  const released = await applyChangesetTo(organization, [set('production', release)], 'Release 42 of the shop');
  return { organization, created: createdRevision, released };
}

async function latest(organization: TestOrganization): Promise<number | undefined> {
  return (await organization.owner.get<Page<RecordedChangeset>>('changesets/?page_size=1')).body.results[0]?.revision;
}

async function readIn(organization: TestOrganization, environment: string) {
  const { body: projects } = await organization.owner.get<Page<{ id: string }>>('projects/?name=web');
  const address = `projects/${projects.results[0]?.id}/effective/?environment=${environment}`;
  return (await organization.owner.get<Effective>(address)).body.values;
}

describe(`a revert in the console${reason}`, () => {
  journey('previews the consequences, undoes a changeset with a message, and opens the new changeset', async () => {
    const { organization, released } = await createRelease();
    const person = await signedIn(organization, `/history/${released}`);
    const { page } = person;
    await page.getByRole('link', { name: 'Revert' }).click();
    await page.getByRole('heading', { name: '3 effective values change' }).waitFor();
    expect(await page.getByRole('main').getByRole('listitem').allTextContents()).toEqual([
      'HOSTnew.exampleold.example',
      'PORT44380',
      'TOKEN•••••another secret',
    ]);
    expect(await readIn(organization, 'production')).toMatchObject({ PORT: '443' });

    await page.getByLabel('Reason').fill('The shop is closed');
    await page.getByRole('button', { name: 'Revert', exact: true }).click();
    await page.getByRole('heading', { name: 'The shop is closed' }).waitFor();

    expect(new URL(page.url()).pathname).toBe(`/history/${await latest(organization)}`);
    expect(await readIn(organization, 'production')).toEqual({ PORT: '80', HOST: 'old.example', TOKEN: 'first' });
    expect(await person.everythingReadable()).not.toContain(CANARY);
    // A revert does not restore tags, so it is not offered.
    const production = await organization.environmentNamed('production');
    const { headers } = await organization.owner.post(`${production.url}tags/`, { name: 'v1' });
    await page.goto(`/history/${headers['x-revision']}`);
    await page.getByRole('heading', { name: 'Changed objects 1' }).waitFor();
    expect(await page.getByRole('link', { name: 'Revert' }).count()).toBe(0);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('lists later changes to the same values, and handles each one as the user chooses', async () => {
    const { organization, released } = await createRelease();
    await applyChangesetTo(organization, [set('production', { PORT: '8443' })], 'Another port');
    const person = await signedIn(organization, `/history/${released}/revert`);
    const { page } = person;
    await page.getByRole('heading', { name: '1 object can’t be restored automatically' }).waitFor();
    expect(await page.getByRole('button', { name: 'Revert', exact: true }).isDisabled()).toBe(true);
    expect(await person.accessibilityViolations()).toEqual([]);

    await page.getByRole('radio', { name: /^Skip conflicting objects/ }).check();
    await page.getByRole('heading', { name: '2 effective values change' }).waitFor();
    await page.getByRole('radio', { name: /^Overwrite/ }).check();
    await page.getByRole('heading', { name: '3 effective values change' }).waitFor();
    await page.getByRole('radio', { name: /^Skip conflicting objects/ }).check();
    await page.getByRole('heading', { name: '2 effective values change' }).waitFor();
    await page.getByRole('button', { name: 'Revert', exact: true }).click();
    await page.waitForURL(/history\/\d+$/);
    expect(new URL(page.url()).pathname).toBe(`/history/${await latest(organization)}`);

    expect(await readIn(organization, 'production')).toMatchObject({ PORT: '8443', HOST: 'old.example' });
    expect(await person.allErrors()).toEqual([]);
  });

  journey('lists the changes of a changeset that it does not undo', async () => {
    const { organization } = await createRelease();
    const group = { operation: 'groups_create', body: { name: 'Operators', users: [] } };
    const groupAndValue = await applyChangesetTo(
      organization,
      [group, set('production', { PORT: '8443' })],
      'People and a port',
    );
    const person = await signedIn(organization, `/history/${groupAndValue}/revert`);
    const { page } = person;
    await page.getByRole('heading', { name: '1 effective value changes' }).waitFor();
    const staying = page.getByRole('region', { name: '1 change stays' });
    expect(await staying.getByRole('listitem').allTextContents()).toEqual(['created group Operators']);
    expect(await person.accessibilityViolations()).toEqual([]);
  });

  journey('is planned again if something has changed meanwhile, and stores nothing before', async () => {
    const { organization, released } = await createRelease();
    const person = await signedIn(organization, `/history/${released}/revert`);
    const { page } = person;
    await page.getByRole('heading', { name: '3 effective values change' }).waitFor();
    await applyChangesetTo(organization, [set('default', { PORT: '8080' })], 'Another default');
    await page.getByRole('button', { name: 'Revert', exact: true }).click();
    await page.getByText('The plan changed before you applied it').waitFor();

    expect(await readIn(organization, 'production')).toMatchObject({ PORT: '443' });
    await page.getByRole('button', { name: 'Revert', exact: true }).click();
    await page.waitForURL(/history\/\d+$/);
    expect(new URL(page.url()).pathname).toBe(`/history/${await latest(organization)}`);
    expect(await readIn(organization, 'production')).toMatchObject({ PORT: '8080', HOST: 'old.example' });
  });

  journey('restores a parameter or an environment to the state after a revision', async () => {
    const { organization, released } = await createRelease();
    await applyChangesetTo(organization, [set('production', { PORT: '8443', HOST: 'third.example' })], 'Another port');
    const person = await signedIn(organization, '/projects/web/history/PORT');
    const { page } = person;
    await page
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: `revision ${released}` }) })
      .getByRole('link', { name: 'Restore to this revision' })
      .click();
    await page.getByRole('heading', { name: `Restore PORT to revision ${released}` }).waitFor();
    await page.getByRole('heading', { name: '1 effective value changes' }).waitFor();
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.waitForURL(/history\/\d+$/);
    expect(await readIn(organization, 'production')).toMatchObject({ PORT: '443', HOST: 'third.example' });

    await person.open('/history/environments/production');
    await page.getByText('Another port').waitFor();
    expect(await page.getByTitle(`Restore production to revision ${released}`).count()).toBe(1);
    await page.getByTitle(`Restore production to revision ${released}`).click();
    await page.getByRole('heading', { name: '1 effective value changes' }).waitFor();
    await page.getByRole('button', { name: 'Restore', exact: true }).click();
    await page.waitForURL(/history\/\d+$/);
    expect(await readIn(organization, 'production')).toMatchObject({ PORT: '443', HOST: 'new.example' });
    expect(await person.allErrors()).toEqual([]);
  });

  journey('explains itself and where to begin if its URL names no changeset', async () => {
    const { organization, released } = await createRelease();
    await organization.owner.post('serviceaccounts/', { name: 'robot', role: 'VIEWER' });
    const person = await signedIn(organization, '/history/return');
    const { page } = person;
    await page.getByRole('heading', { name: 'Restore', level: 2 }).waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);
    for (const search of ['?to=3', '?project=web', '?to=x&project=web']) {
      await person.open(`/history/return${search}`);
      await page.getByRole('heading', { name: 'Restore', level: 2 }).waitFor();
    }
    await page.getByRole('link', { name: 'History, for a project' }).click();
    await page.getByRole('link', { name: `revision ${released}` }).click();
    // The later changeset did not change the project.
    await page.getByRole('link', { name: 'After', exact: true }).waitFor();
    expect(await page.getByRole('link', { name: /^Restore/ }).count()).toBe(0);
    await applyChangesetTo(organization, [set('production', { PORT: '8443' })], 'Another port');
    await page.reload();
    await page.getByRole('link', { name: 'Restore web to this revision' }).click();

    await page.getByRole('heading', { name: `Restore web to revision ${released}` }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('is not offered to a viewer', async () => {
    const { organization, released } = await createRelease();
    const person = await signedIn(organization, `/history/${released}`, { role: 'VIEWER' });
    await person.page.getByRole('heading', { name: 'Release 42 of the shop' }).waitFor();

    expect(await person.page.getByRole('link', { name: /^(Revert|Return)/ }).count()).toBe(0);
    for (const address of ['/projects/web/history/PORT', '/history/environments/production']) {
      await person.open(address);
      await person.page.getByRole('link', { name: `revision ${released}` }).waitFor();
      expect(await person.page.getByRole('link', { name: 'Restore to this revision' }).count()).toBe(0);
    }
  });

  journey('is accessible and fits the screen in every theme and screen size', async () => {
    const { organization, released } = await createRelease();
    await applyChangesetTo(organization, [set('production', { PORT: '8443' })], 'Another port');
    const person = await signedIn(organization, `/history/${released}/revert`);
    await person.page.getByRole('radio', { name: /^Overwrite/ }).check();
    await person.page.getByRole('heading', { name: '3 effective values change' }).waitFor();

    expect(await person.violationsInEveryLook()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });
});
