import { randomBytes, randomUUID } from 'node:crypto';
import type { InvitationCreated } from '@strata/contract';
import {
  type OwnGateway,
  RawClient,
  type RunningCore,
  sharedCore,
  startGateway,
  type TestOrganization,
} from '@strata/testkit';
import { startBrowser } from '../../../tools/browser/chromium.mjs';
import { ConsolePerson, LOOKS } from './console-browser.ts';

const { browser, missing } = await startBrowser();
/** Where no browser can run, the tests say so instead of failing. */
const journey = browser ? it : it.skip;
const reason = missing === undefined ? '' : ` (skipped: ${missing})`;

const SECRET = `canary-${randomUUID()}`;

let core: RunningCore;
let gateway: OwnGateway;
const people: ConsolePerson[] = [];

beforeAll(async () => {
  if (!browser) return;
  core = await sharedCore();
  gateway = await startGateway(core, {
    STRATA_CONSOLE: 'on',
    STRATA_SESSION_KEY: randomBytes(32).toString('base64'),
  });
}, 120_000);
afterEach(async () => {
  for (const person of people.splice(0)) await person.leave();
});
afterAll(async () => {
  await browser?.close();
  await gateway?.close();
});

/** Somebody at the door, who opens an address. */
async function visitor(address: string, look: keyof typeof LOOKS = 'light'): Promise<ConsolePerson> {
  if (!browser) throw new Error(missing);
  const person = await ConsolePerson.arrive(browser, gateway.origin, LOOKS[look]);
  people.push(person);
  await person.page.goto(address);
  return person;
}

/** Whom an organization invited. */
async function memberOf(organization: TestOrganization, role = 'VIEWER') {
  const nobody = new RawClient(core.origin, null);
  const [email, password] = [`${randomUUID()}@example.com`, randomUUID()];
  const { body } = await organization.owner.post<InvitationCreated>('invitations/', { email, role });
  await nobody.post(`invitations/${body.id}/accept/`, { token: body.token, password, name: 'Ada' });
  return { email, password };
}

/** A project `web` that depends on `base`, with a value of each kind. */
async function givenProjects(organization: TestOrganization): Promise<void> {
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

async function givenPlatform() {
  const organization = await core.organization();
  await givenProjects(organization);
  return { organization, member: await memberOf(organization) };
}

const row = ({ page }: ConsolePerson, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name, exact: true }) });
/** What is heard of the cells of a row, in the order of the environments. */
const cells = async (person: ConsolePerson, name: string) => row(person, name).getByRole('cell').allTextContents();

describe(`a person who reads in the console${reason}`, () => {
  journey('signs in, sees projects and the values of every environment, and signs out', async () => {
    const { member } = await givenPlatform();
    const person = await visitor('/');
    await person.page.waitForURL('**/sign-in**');

    await person.signIn(member);
    await person.page.getByRole('main').getByRole('link', { name: 'web' }).click();
    await row(person, 'GREETING').waitFor();

    expect(await cells(person, 'GREETING')).toEqual([
      'hello',
      'hello, inherited from default',
      'good day, set here',
      'hello, inherited from default',
    ]);
    expect((await cells(person, 'TOKEN'))[0]).toContain('secret');
    expect((await cells(person, 'NOTHING'))[0]).toBe('null');
    expect((await cells(person, 'BLANK'))[0]).toBe('empty');
    expect((await cells(person, 'UNSET'))[0]).toBe('not set');
    expect((await cells(person, 'REGION'))[0]).toBe('north, from another project');
    await person.page.getByText('viewer, read only').waitFor();
    expect(await person.page.title()).toBe('web · Strata');
    expect(await person.allComplaints()).toEqual([]);

    await person.page.getByRole('button', { name: 'Sign out' }).click();
    await person.page.getByRole('heading', { name: 'Sign in to Strata' }).waitFor();
    await person.page.goto('/projects/web');
    await person.page.waitForURL('**/sign-in?back=**');
  });

  journey('never has a secret or a credential in the page, the storage or the address', async () => {
    const { member } = await givenPlatform();
    const person = await visitor('/projects/web');
    await person.signIn(member);
    await row(person, 'TOKEN').waitFor();

    const readable = await person.everythingReadable();
    const [cookie] = await person.page.context().cookies();

    expect(readable).toContain('GREETING');
    for (const hidden of [SECRET, member.password, 'Bearer', cookie?.value ?? 'no cookie']) {
      expect(readable).not.toContain(hidden);
    }
    expect(cookie).toMatchObject({ name: 'strata_session', httpOnly: true, sameSite: 'Strict' });
    expect(await person.allComplaints()).toEqual([]);
  });

  journey('is told why a password is refused, and can use a key instead', async () => {
    const { organization, member } = await givenPlatform();
    const person = await visitor('/projects');
    await person.signIn({ ...member, password: 'another one' });
    await person.page.getByRole('alert').filter({ hasText: 'Incorrect authentication credentials.' }).waitFor();
    // the browser itself notes each answer of 401
    person.forgetComplaints();

    const key = (await organization.authorization('CONTRIB')).replace('Api-Key ', '');
    await person.page.getByRole('button', { name: 'Use an API key' }).click();
    await person.page.getByLabel('API key').fill(key);
    await person.page.getByRole('button', { name: 'Sign in' }).click();

    await person.page.getByRole('main').getByRole('link', { name: 'base', exact: true }).waitFor();
    expect(await person.everythingReadable()).not.toContain(key);
    expect(await person.allComplaints()).toEqual([]);
  });

  journey('comes back to the same place after the session ended elsewhere', async () => {
    const { member } = await givenPlatform();
    const person = await visitor('/projects/web?q=GREE');
    await person.signIn(member);
    await row(person, 'GREETING').waitFor();
    expect(await person.page.getByRole('rowheader').count()).toBe(1);

    const query = 'mutation { signOutEverywhere { __typename } }';
    await person.page.evaluate(
      (body) => fetch('/graphql', { method: 'POST', headers: { 'content-type': 'application/json' }, body }),
      JSON.stringify({ query }),
    );
    await person.page.reload();
    await person.page.waitForURL('**/sign-in?back=**');

    await person.signIn(member);
    await row(person, 'GREETING').waitFor();
    expect(new URL(person.page.url()).search).toBe('?q=GREE');
  });

  journey('learns from an organization without projects what a project is', async () => {
    const organization = await core.organization();
    const { body } = await organization.owner.get<{ results: { url: string }[] }>('projects/');
    for (const { url } of body.results) await organization.owner.delete(url);
    const person = await visitor('/');
    await person.signIn(await memberOf(organization));

    await person.page.getByRole('heading', { name: 'No project yet' }).waitFor();

    expect(await person.barriers()).toEqual([]);
    expect(await person.allComplaints()).toEqual([]);
  });

  journey('is told of a project that is not there', async () => {
    const { member } = await givenPlatform();
    const person = await visitor('/projects/nowhere');
    await person.signIn(member);

    await person.page.getByText('There is no project called nowhere').waitFor();
  });
});

describe(`every page${reason}`, () => {
  journey.each(Object.keys(LOOKS))('keeps nobody out and is no wider than the screen: %s', async (look) => {
    const { member } = await givenPlatform();
    const person = await visitor('/sign-in', look);
    const { page } = person;
    await page.getByLabel('Password').waitFor();
    expect(await person.barriers()).toEqual([]);
    await person.signIn(member);
    await page.getByRole('main').getByRole('link', { name: 'web' }).waitFor();
    expect(await person.barriers()).toEqual([]);
    await page.goto('/projects/web?env=production');
    await row(person, 'GREETING').waitFor();
    expect(await person.barriers()).toEqual([]);

    const width = await page.evaluate(() => {
      const { document } = globalThis as unknown as { document: { documentElement: { scrollWidth: number } } };
      return document.documentElement.scrollWidth;
    });
    expect(width).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
    const visible = await row(person, 'GREETING').getByRole('cell').filter({ visible: true }).allTextContents();
    if (look === 'at 375 px') expect(visible).toEqual(['good day, set here']);
    expect(await person.allComplaints()).toEqual([]);
  });

  journey('keeps the theme that was chosen', async () => {
    const { member } = await givenPlatform();
    const person = await visitor('/projects');
    await person.signIn(member);
    await person.page.getByRole('button', { name: 'Dark theme' }).click();
    await person.page.reload();

    await person.page.getByRole('button', { name: 'Light theme' }).waitFor();
    expect(await person.page.locator('html').getAttribute('data-theme')).toBe('dark');
  });
});
