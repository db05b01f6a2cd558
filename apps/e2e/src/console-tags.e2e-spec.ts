import type { Environment, Grant, Page as PageOf, RecordedChangeset, Tag } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { setUpConsoleTests } from './console-journeys.ts';
import { applyChangesetTo } from './console-platform.ts';

const { journey, reason, core, signedIn, memberOf, visitor } = await setUpConsoleTests();

const setPort = (port: string) => ({
  set: { project: 'web', environment: 'production', create_missing: true, values: { PORT: port } },
});

async function createReleases() {
  const organization = await core().organization();
  const first = await applyChangesetTo(organization, [
    { operation: 'projects_create', body: { name: 'web' } },
    setPort('80'),
  ]);
  await applyChangesetTo(organization, [setPort('443')]);
  return { organization, first, production: await organization.environmentNamed('production') };
}

async function fetchTags(organization: TestOrganization, { id }: Environment): Promise<readonly Tag[]> {
  return (await organization.owner.get<PageOf<Tag>>(`environments/${id}/tags/`)).body.results;
}

describe(`tags in the console${reason}`, () => {
  journey('can be created for a past revision, and open the pages as of then', async () => {
    const { organization, first, production } = await createReleases();
    const person = await signedIn(organization, '/environments/production');
    const { page } = person;
    await page.getByText('No tags yet. A tag names a point in time').waitFor();
    await page.getByRole('link', { name: 'Tag', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill('v1');
    await page.getByLabel('Points to').selectOption('a revision');
    await page.getByLabel('Revision').fill(String(first));
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Create tag' }).click();
    await page.getByRole('rowheader', { name: 'v1' }).waitFor();
    const { body: changeset } = await organization.owner.get<RecordedChangeset>(`changesets/${first}/`);
    expect(await fetchTags(organization, production)).toMatchObject([{ name: 'v1', timestamp: changeset.at }]);

    await page.getByRole('link', { name: 'View' }).click();
    await page.getByText('as of tag v1 of production').waitFor();
    await page.getByRole('main').getByRole('link', { name: /^web/ }).click();
    expect(await person.announced('PORT')).toContainEqual(expect.stringMatching(/80$/));
    expect(await person.allErrors()).toEqual([]);
  });

  journey('can be created for the present, changed and deleted', async () => {
    const { organization, production } = await createReleases();
    const person = await signedIn(organization, '/environments/production?do=tag');
    const { page } = person;
    await page.getByRole('textbox', { name: 'Name' }).fill('v1');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Create tag' }).click();
    await page.getByRole('link', { name: 'Change v1' }).click();
    const [storedTag] = await fetchTags(organization, production);
    await page.getByRole('textbox', { name: 'Description' }).fill('The first release');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('cell', { name: 'The first release' }).waitFor();
    expect(await fetchTags(organization, production)).toEqual([{ ...storedTag, description: 'The first release' }]);

    await page.getByRole('link', { name: 'Delete v1' }).click();
    await page.getByText('Not used yet.').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No tags yet. A tag names a point in time').waitFor();
    expect(await fetchTags(organization, production)).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('are not overwritten if another user has changed them since they were read', async () => {
    const { organization, production } = await createReleases();
    const { body: tag } = await organization.owner.post<Tag>(`environments/${production.id}/tags/`, { name: 'v1' });
    const person = await signedIn(organization, '/environments/production');
    const { page } = person;
    await person.live();
    await page.getByRole('link', { name: 'Change v1' }).click();
    await page.getByRole('textbox', { name: 'Description' }).fill('Mine');
    await organization.owner.patch(tag.url, { description: 'Theirs' });
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByText('This can’t be applied').waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    expect(await fetchTags(organization, production)).toMatchObject([{ description: 'Theirs' }]);

    await page.getByRole('link', { name: 'Cancel' }).first().click();
    await page.getByRole('cell', { name: 'Theirs' }).waitFor();
    await page.getByRole('link', { name: 'Change v1' }).click();
    await page.getByRole('textbox', { name: 'Description' }).fill('Ours');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('cell', { name: 'Ours' }).waitFor();
  });

  journey('are not deleted if another user has changed them since the dialog was opened', async () => {
    const { organization, production } = await createReleases();
    const { body: tag } = await organization.owner.post<Tag>(`environments/${production.id}/tags/`, { name: 'v1' });
    const person = await signedIn(organization, '/environments/production');
    const { page } = person;
    await person.live();
    await page.getByRole('link', { name: 'Delete v1' }).click();
    await page.getByRole('button', { name: 'Delete', disabled: false }).waitFor();
    await organization.owner.patch(tag.url, { description: 'Theirs' });
    await page.getByRole('cell', { name: 'Theirs' }).waitFor();
    await page.getByRole('button', { name: 'Delete', disabled: false }).click();
    await page.getByText('This can’t be applied').waitFor();
    expect(await fetchTags(organization, production)).toMatchObject([{ name: 'v1', description: 'Theirs' }]);

    await page.getByRole('link', { name: 'Cancel' }).first().click();
    await page.getByRole('link', { name: 'Delete v1' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No tags yet. A tag names a point in time').waitFor();
    expect(await fetchTags(organization, production)).toEqual([]);
  });

  journey('have a form that explains why it was rejected and keeps the input', async () => {
    const { organization, production } = await createReleases();
    await organization.owner.post(`environments/${production.id}/tags/`, { name: 'v1' });
    const person = await signedIn(organization, '/environments/production?do=tag');
    const { page } = person;
    await page.getByRole('textbox', { name: 'Name' }).fill('v1');
    await page.getByLabel('Points to').selectOption('a revision');
    await page.getByLabel('Revision').fill('999999');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByText('There is no revision 999999.').waitFor();
    await page.getByLabel('Points to').selectOption('now');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByText('This environment has a tag named v1 already. Choose another name.').waitFor();
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('v1');
  });

  journey('appear when other users create them', async () => {
    const { organization, production } = await createReleases();
    const person = await signedIn(organization, '/environments/production', { role: 'VIEWER' });
    const { page } = person;
    await person.live();
    await organization.owner.post(`environments/${production.id}/tags/`, { name: 'v7' });
    await page.getByRole('rowheader', { name: 'v7' }).waitFor();
    expect(await page.getByRole('link', { name: 'Change v7' }).count()).toBe(0);
  });
});

describe(`access to an environment in the console${reason}`, () => {
  journey('is restricted by an owner, who sees the grants, and opened again', async () => {
    const { organization, production } = await createReleases();
    await memberOf(organization, 'VIEWER');
    const person = await signedIn(organization, '/environments/production', { role: 'OWNER' });
    const { page } = person;
    await page.getByText('Everyone in the organization has access to this environment').waitFor();
    await page.getByRole('link', { name: 'Restrict access' }).click();
    await page.getByText(/Access changes/).waitFor();
    await page.getByRole('button', { name: 'Restrict access' }).click();
    await page.getByRole('row', { name: 'Ada OWNER' }).waitFor();
    const { body: grants } = await organization.owner.get<PageOf<Grant>>(`grants/?scope=${production.id}`);
    expect(grants.results).toMatchObject([{ role: 'OWNER' }]);

    await page.getByRole('link', { name: 'Remove restriction' }).click();
    await page.getByRole('button', { name: 'Remove restriction' }).click();
    await page.getByText('Everyone in the organization has access to this environment').waitFor();
    expect((await organization.owner.get<PageOf<Grant>>(`grants/?scope=${production.id}`)).body.results).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('leaves only the name of a forbidden environment visible', async () => {
    const { organization, production } = await createReleases();
    await organization.owner.post(`environments/${production.id}/tags/`, { name: 'hidden-tag' });
    await organization.owner.patch(`environments/${production.id}/`, { access_controlled: true });
    const person = await visitor('/environments');
    await person.signIn(await memberOf(organization, 'CONTRIB'));
    const { page } = person;
    const line = page.getByRole('link', { name: /^production/ });
    await line.getByText('restricted').waitFor();
    await page.getByText('0 set here').first().waitFor();
    expect(await line.textContent()).not.toContain('set here');
    await line.click();
    await page.getByText('Access to production is restricted, and you don’t have a grant.').waitFor();
    expect(await person.everythingReadable()).not.toContain('hidden-tag');
    expect(await page.getByRole('link', { name: /^(Rename|Move|Copy|Delete|Tag)/ }).count()).toBe(0);
    expect(await person.allErrors()).toEqual([]);
  });
});
