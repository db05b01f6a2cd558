import type { Effective, Parameter, Project, Page as Rows } from '@strata/contract';
import { holdRequests } from './console-held-requests.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { applyChangesetTo, createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const setIn = (project: string, environment: string, values: Readonly<Record<string, string>>) => ({
  set: { project, environment, create_missing: true, values },
});

describe(`the home page of the console${reason}`, () => {
  journey('shows the counts, the problems and the last change of each project, and follows changes', async () => {
    const { organization, web, secret } = await createPlatform(await core().organization());
    const token: Parameter = await organization.parameter({ project: web, name: 'PIN', secret: true });
    await organization.value({ parameter: token, internal_value: secret });
    await organization.owner.patch(token.url, { expires: 'P3D' });
    const path = `${web.url}effective/?environment=staging&mask_secrets=true`;
    const { revision, digest } = (await organization.owner.get<Effective>(path)).body;
    const running = { project: 'web', environment: 'staging', instance: 'web-1', revision, digest };
    expect((await organization.owner.post('rollouts/', running)).status).toBe(204);

    const person = await signedIn(organization, '/projects');
    const { page } = person;
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).waitFor();
    await person.live();
    const sent = person.recordOperations();
    const release = await holdRequests(person, 'ProjectProblems');
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
    const card = page.getByRole('listitem').filter({ has: page.getByRole('link', { name: 'web', exact: true }) });
    await card.getByText('8 parameters · values in 2 environments').waitFor();
    // Findings are counted in the background. Until then, nothing is said about them, and an empty project has none.
    await card.getByText('Changed just now').waitFor();
    expect(await page.getByText(/Lint:|Lint not checked|not compared/).count()).toBe(0);
    release();
    await card.getByRole('link', { name: /^Lint: \d+ findings$/ }).waitFor();
    expect(await page.getByText(/Lint not checked|not compared/).count()).toBe(0);
    await card.getByText('PIN in default expires in 2 days').waitFor();
    expect(await card.getByText('lagging').count()).toBe(0);
    expect([...new Set(sent)]).toEqual(['Home', 'ProjectProblems']);

    await applyChangesetTo(organization, [setIn('web', 'staging', { GREETING: 'evening', NEW: '1' })]);
    await card.getByText('9 parameters · values in 3 environments').waitFor();
    expect(await person.everythingReadable()).not.toContain(secret);
    expect(await person.violationsInEveryLook()).toEqual([]);
    await card.getByRole('link', { name: '1 instance lagging' }).click();
    await page.getByText('0 of 1 instance runs revision').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey(
    'lists the drafts, changes, favourites and recents of the user, and a new organization gets the ways to start',
    async () => {
      const { organization } = await createPlatform(await core().organization());
      const person = await signedIn(organization, '/', { role: 'OWNER' });
      const { page } = person;
      const part = (name: string) => page.getByRole('region', { name, exact: true });
      await part('Open drafts').getByText('No drafts.').waitFor();
      await part('Favourites').getByText('Mark projects, environments and parameters').waitFor();
      await part('Recently opened').getByText('are listed here').waitFor();
      await applyChangesetTo(organization, [setIn('web', 'default', { GREETING: 'theirs' })], 'By another user');
      await page.goto('/projects/web');
      await page.getByRole('button', { name: 'Favourite: web' }).click();
      await person.write('GREETING', 1, 'mine');
      await page.goto('/environments/staging');
      await page.getByRole('button', { name: 'Favourite: staging' }).waitFor();
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
      await part('Favourites').getByRole('link', { name: 'web' }).waitFor();
      await part('Recently opened').getByRole('link', { name: 'staging' }).waitFor();
      await part('Open drafts').getByText('1 change', { exact: true }).waitFor();
      await part('Open drafts').getByRole('link', { name: 'Review 1 change' }).click();
      await person.apply();
      await person.applied();
      await page.getByRole('link', { name: 'Home' }).click();
      const mine = page.getByRole('region', { name: 'My changes' }).getByRole('listitem');
      await mine.filter({ hasText: 'set GREETING in development' }).waitFor();
      expect(await mine.allInnerTexts()).toEqual([
        expect.stringMatching(/^set GREETING in development\s+just now · web$/),
      ]);
      await part('My changes').getByRole('link', { name: 'All my changes' }).click();
      await page.waitForURL('**/history?actor=*');

      const begun = await core().organization();
      const fresh = await signedIn(begun, '/');
      await fresh.page.getByRole('heading', { name: 'Start with an empty project' }).waitFor();
      const [first] = (await begun.owner.get<Rows<Project>>('projects/')).body.results;
      await begun.owner.patch(first?.url ?? '', { name: 'empty' });
      await fresh.page.getByRole('heading', { name: 'empty' }).waitFor();
      expect(await fresh.allErrors()).toEqual([]);
      expect(await person.allErrors()).toEqual([]);
    },
  );

  journey('lists the first steps until the user hides them, and links the documentation of each page', async () => {
    const { organization } = await createPlatform(await core().organization());
    const person = await signedIn(organization, '/', { role: 'ADMIN' });
    const { page } = person;
    const steps = page.getByRole('region', { name: 'First steps: 4 of 5 done' });
    await steps.getByRole('link', { name: 'Connect a program' }).click();
    await page.getByRole('heading', { name: '1. Create a key' }).waitFor();
    expect(await page.getByRole('link', { name: 'Help about this page' }).getAttribute('href')).toBe(
      '/help/guides/follow-a-configuration.html',
    );
    await page.keyboard.press('?');
    const help = page.getByRole('dialog').getByRole('link', { name: 'Documentation of this page' });
    await page.goto((await help.getAttribute('href')) ?? '');
    await page.getByRole('heading', { name: 'Follow a configuration', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'TypeScript programs' }).click();
    await page.getByRole('heading', { name: 'Use the TypeScript SDK', level: 1 }).waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);
    await page.goto('/help/reference/settings.html');
    await page.getByRole('table').first().waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);

    await page.goto('/');
    const hide = page.getByRole('button', { name: 'Hide the first steps' });
    const motion = () => hide.evaluate((button) => button.computedStyleMap().get('transition-duration')?.toString());
    await hide.waitFor();
    expect(await motion()).toMatch(/^0s/);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await motion()).toMatch(/^0\.14s/);
    await hide.click();
    await page.reload();
    await page.getByRole('heading', { name: 'My changes' }).waitFor();
    expect(await page.getByRole('heading', { name: /^First steps/ }).count()).toBe(0);
    expect(await person.allErrors()).toEqual([]);
  });
});
