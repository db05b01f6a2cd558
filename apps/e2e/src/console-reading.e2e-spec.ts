import { randomUUID } from 'node:crypto';
import type { TestOrganization } from '@strata/testkit';
import { LOOKS } from './console-browser.ts';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, visitor: visit, memberOf } = await setUpConsoleTests();

const SECRET = `canary-${randomUUID()}`;

const visitor = (address: string, lookName: keyof typeof LOOKS = 'light') => visit(address, LOOKS[lookName]);

/** Creates `web`, which depends on `base`, with a value of each kind. */
async function createProjects(organization: TestOrganization): Promise<void> {
  const base = await organization.project({ name: 'base' });
  const web = await organization.project({ name: 'web', depends_on: base.url });
  const production = await organization.environmentNamed('production');
  const value = async (project: typeof web, name: string, text: string | null, more: object = {}) => {
    const parameter = await organization.parameter({ project, name, ...more });
    await organization.value({ parameter, internal_value: text });
    return parameter;
  };
  const greeting = await value(web, 'GREETING', 'hello');
  await organization.value({ parameter: greeting, environment: production, internal_value: 'good day' });
  await value(web, 'TOKEN', SECRET, { secret: true });
  await value(web, 'NOTHING', null);
  await value(web, 'BLANK', '');
  await organization.parameter({ project: web, name: 'UNSET' });
  await value(base, 'REGION', 'north');
}

async function createProjectsAndMember() {
  const organization = await core().organization();
  await createProjects(organization);
  return { organization, member: await memberOf(organization) };
}

describe(`a viewer in the console${reason}`, () => {
  journey('signs in, sees projects and the values of every environment, and signs out', async () => {
    const { member } = await createProjectsAndMember();
    const person = await visitor('/');
    await person.page.waitForURL('**/sign-in**');

    await person.signIn(member);
    await person.page.getByRole('main').getByRole('link', { name: 'web' }).click();
    await person.row('GREETING').waitFor();

    expect(await person.announced('GREETING')).toEqual([
      'hello',
      'hello, inherited from default',
      'good day, set here',
      'hello, inherited from default',
    ]);
    expect((await person.announced('TOKEN'))[0]).toContain('secret');
    expect((await person.announced('NOTHING'))[0]).toBe('null');
    expect((await person.announced('BLANK'))[0]).toBe('empty');
    expect((await person.announced('UNSET'))[0]).toBe('not set');
    expect((await person.announced('REGION'))[0]).toBe('north, from project base');
    await person.page.getByText('viewer, read only').waitFor();
    expect(await person.page.title()).toBe('web · Strata');
    expect(await person.allErrors()).toEqual([]);

    await person.page.getByRole('button', { name: 'Sign out' }).click();
    await person.page.getByRole('heading', { name: 'Sign in to Strata' }).waitFor();
    await person.page.goto('/projects/web');
    await person.page.waitForURL('**/sign-in?back=**');
  });

  journey('never receives a secret or a credential in the page, the storage or the URL', async () => {
    const { member } = await createProjectsAndMember();
    const person = await visitor('/projects/web');
    await person.signIn(member);
    await person.row('TOKEN').waitFor();

    const readable = await person.everythingReadable();
    const [cookie] = await person.page.context().cookies();

    expect(readable).toContain('GREETING');
    for (const hidden of [SECRET, member.password, 'Bearer', cookie?.value ?? 'no cookie']) {
      expect(readable).not.toContain(hidden);
    }
    expect(cookie).toMatchObject({ name: 'strata_session', httpOnly: true, sameSite: 'Strict' });
    expect(await person.allErrors()).toEqual([]);
  });

  journey('sees why a password is rejected, and can use an API key instead', async () => {
    const { organization, member } = await createProjectsAndMember();
    const person = await visitor('/projects');
    await person.signIn({ ...member, password: 'another one' });
    await person.page.getByRole('alert').filter({ hasText: 'Wrong e-mail or password.' }).waitFor();
    // The browser itself logs each response with status 401.
    person.clearErrors();

    const key = (await organization.authorization('CONTRIB')).replace('Api-Key ', '');
    await person.page.getByRole('button', { name: 'Use an API key' }).click();
    await person.page.getByLabel('API key').fill(key);
    await person.page.getByRole('button', { name: 'Sign in' }).click();

    await person.page.getByRole('main').getByRole('link', { name: 'base', exact: true }).waitFor();
    expect(await person.everythingReadable()).not.toContain(key);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('returns to the same page after the session ended elsewhere', async () => {
    const { member } = await createProjectsAndMember();
    const person = await visitor('/projects/web?q=GREE');
    await person.signIn(member);
    await person.row('GREETING').waitFor();
    expect(await person.page.getByRole('rowheader').count()).toBe(1);

    await person.send('SignOutEverywhere');
    await person.page.reload();
    await person.page.waitForURL('**/sign-in?back=**');

    await person.signIn(member);
    await person.row('GREETING').waitFor();
    expect(new URL(person.page.url()).search).toBe('?q=GREE');
  });

  journey('learns what a project is if the organization has none', async () => {
    const organization = await core().organization();
    const { body } = await organization.owner.get<{ results: { url: string }[] }>('projects/');
    for (const { url } of body.results) await organization.owner.delete(url);
    const person = await visitor('/');
    await person.signIn(await memberOf(organization));

    await person.page.getByRole('heading', { name: 'No projects yet' }).waitFor();

    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('sees that a project does not exist', async () => {
    const { member } = await createProjectsAndMember();
    const person = await visitor('/projects/nowhere');
    await person.signIn(member);

    await person.page.getByText('There is no project named nowhere').waitFor();
  });
});

describe(`every page of the console${reason}`, () => {
  journey.each(Object.keys(LOOKS))('is accessible and fits the screen: %s', async (lookName) => {
    const { member } = await createProjectsAndMember();
    const person = await visitor('/sign-in', lookName);
    const { page } = person;
    await page.getByLabel('Password').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await person.signIn(member);
    await page.getByRole('main').getByRole('link', { name: 'web' }).waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await page.goto('/projects/web?env=production');
    await person.row('GREETING').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);

    const width = await page.evaluate(() => {
      const { document } = globalThis as unknown as { document: { documentElement: { scrollWidth: number } } };
      return document.documentElement.scrollWidth;
    });
    expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    const visible = await person.row('GREETING').getByRole('gridcell').filter({ visible: true }).allTextContents();
    if (lookName === 'at 375 px') expect(visible).toEqual(['good day, set here']);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('keeps the selected theme', async () => {
    const { member } = await createProjectsAndMember();
    const person = await visitor('/projects');
    await person.signIn(member);
    await person.page.getByRole('button', { name: 'Dark theme' }).click();
    await person.page.reload();

    await person.page.getByRole('button', { name: 'Light theme' }).waitFor();
    expect(await person.page.locator('html').getAttribute('data-theme')).toBe('dark');
  });
});
