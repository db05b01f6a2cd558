import type { Grant, Page, User } from '@strata/contract';
import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();
const platform = async () => createPlatform(await core().organization());

const PROJECT = 'You can read this project but not change it. Your role is Viewer.';
const HISTORY = 'You can read the history but not revert changes. Your role is Viewer.';

describe(`a read-only page of the console${reason}`, () => {
  journey('says why to a viewer, in the same place and words on every page', async () => {
    const { organization, web } = await platform();
    await organization.owner.post(`${web.url}templates/`, { name: 'page', body: 'x' });
    const person = await signedIn(organization, '/account', { role: 'VIEWER' });
    const { page } = person;
    const note = page.getByRole('region', { name: 'Read-only' });
    await page.getByRole('heading', { name: 'Theme' }).waitFor();
    expect(await note.count()).toBe(0);
    for (const [path, words] of [
      ['/projects/web', PROJECT],
      ['/projects/web/lint', PROJECT],
      ['/projects/web/templates', PROJECT],
      ['/projects/web/templates/page', PROJECT],
      ['/environments', 'You can read environments but not change them. Your role is Viewer.'],
      ['/history', HISTORY],
      ['/history/2', HISTORY],
      ['/types', 'You can read types but not change them. Your role is Viewer.'],
    ] as const) {
      await page.goto(path);
      await note.filter({ hasText: words }).waitFor();
    }
    await page.goto('/projects/web/lint');
    await note.waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);
    await page.goto('/projects/web/lint?at=r2');
    await page.getByText('You are viewing the state as of revision 2 (read-only)').waitFor();
    expect(await note.count()).toBe(0);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('says nothing to a contributor, until a restriction takes the access to change it', async () => {
    const { organization, web } = await platform();
    const person = await signedIn(organization, '/projects/web/templates');
    const { page } = person;
    const note = page.getByRole('region', { name: 'Read-only' });
    await page.getByText('at revision').waitFor();
    expect(await note.count()).toBe(0);
    const { body } = await organization.owner.get<Page<User>>('users/?type=interactive');
    const ada = body.results.find(({ name }) => name === 'Ada');
    await organization.owner.patch(web.url, { access_controlled: true });
    await organization.owner.post<Grant>('grants/', { principal: ada?.url, scope: web.url, role: 'VIEWER' });
    await note
      .filter({ hasText: 'Access to this project is restricted, and you have no grant to change it.' })
      .waitFor();
    expect(await person.allErrors()).toEqual([]);
  });
});
