import { randomBytes } from 'node:crypto';
import { findFreePort } from '@strata/processes';
import { createTestDatabase, organization, type TestDatabase, testCredentials } from '@strata/testkit';
import { startBrowser } from '../../../tools/browser/chromium.mjs';
import { ConsolePerson } from './console-browser.ts';
import { addMember } from './console-members.ts';
import { createPlatform } from './console-platform.ts';
import { buildMissingApps, eventually, type Service, startService } from './processes.ts';

const { browser, missing } = await startBrowser();
const journey = browser ? it : it.skip;
const reason = missing === undefined ? '' : ` (skipped: ${missing})`;

const STAGING = 3;
const sessionKey = randomBytes(32).toString('base64');

let database: TestDatabase;
let core: Service;
let gateway: Service;

const startCore = async (port: number) =>
  startService('core', port, {
    DATABASE_URL: database.url,
    STRATA_ROOT_KEY: testCredentials().rootKey,
    STRATA_LOG_LEVEL: 'error',
  });
const startGateway = (port: number) =>
  startService('gateway', port, { STRATA_CORE_URL: core.origin, STRATA_SESSION_KEY: sessionKey });
const parsePort = ({ origin }: Service) => Number(new URL(origin).port);

beforeAll(async () => {
  if (!browser) return;
  await buildMissingApps('core', 'gateway', 'console');
  database = await createTestDatabase();
  core = await startCore(await findFreePort());
  gateway = await startGateway(await findFreePort());
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([gateway?.end('SIGKILL'), core?.end('SIGKILL')]);
  await database?.drop();
});

describe(`the console while its services restart${reason}`, () => {
  journey('shows that the connection is lost, continues on the same page, and keeps drafts', async () => {
    const shop = await createPlatform(await organization({ origin: core.origin, ...testCredentials() }));
    const member = await addMember(database, shop.organization, 'CONTRIB');
    if (!browser) throw new Error(missing);
    const person = await ConsolePerson.arrive(browser, gateway.origin);
    const { page } = person;
    await page.goto('/projects/web');
    await person.signIn(member);
    await person.live();
    await person.cell('PORT', STAGING).click();
    await page.keyboard.type('80');

    await Promise.all([core.end('SIGKILL'), gateway.end('SIGKILL')]);
    await page.getByRole('status').filter({ hasText: 'Not live' }).waitFor();
    await page.keyboard.type('80');
    core = await startCore(parsePort(core));
    gateway = await startGateway(parsePort(gateway));
    await shop.organization.owner.put(`${shop.web.url}values/?environment=staging`, { values: { GREETING: 'hej' } });

    await person.live();
    await eventually('the change is shown', async () =>
      ((await person.announced('GREETING'))[STAGING] ?? '').startsWith('hej, set here'),
    );
    expect(await page.locator('textarea').inputValue()).toBe('8080');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Review' }).click();
    await page.getByRole('heading', { name: /effective values? changes?/ }).waitFor();
    await person.apply();
    await person.applied();
    await person.leave();
  });
});
