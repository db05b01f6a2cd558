import type { ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page as PageOf, Session } from '@strata/contract';
import { comparisonNumber } from '@strata/domain';
import { RawClient, type TestOrganization } from '@strata/testkit';
import type { Page } from 'playwright-core';
import { CommandLine } from './command-line.ts';
import { setUpConsoleTests } from './console-journeys.ts';

const { core, gateway, journey, memberOf, reason, signedIn, visitor } = await setUpConsoleTests();

let organization: TestOrganization;
let strata: CommandLine;
beforeEach(async () => {
  organization = await core().organization();
  strata = await CommandLine.create({ STRATA_URL: core().origin, STRATA_CONSOLE_URL: gateway().origin });
  // `strata login` opens the browser with this program. The tests open the address themselves.
  fs.writeFileSync(path.join(strata.home, 'xdg-open'), '#!/bin/sh\n', { mode: 0o755 });
});
afterEach(() => strata.remove());

const onLinux = process.platform === 'linux' ? journey : journey.skip;

/** A running `strata login`, the address that it prints, and its result. */
interface Login {
  readonly child: ChildProcess;
  readonly address: URL;
  readonly ended: Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
}

async function login(...args: readonly string[]): Promise<Login> {
  const env = { PATH: `${strata.home}:${process.env.PATH}`, DISPLAY: ':0' };
  const child = strata.start(['login', ...args], { env });
  const printed: string[] = [];
  const printedAddress = new Promise<string>((resolve, reject) => {
    child.stderr?.on('data', (part) => {
      printed.push(String(part));
      const [address] = /http\S+\/command-line\S+/.exec(printed.join('')) ?? [];
      if (address) resolve(address);
    });
    child.once('close', () => reject(new Error(printed.join(''))));
  });
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const stdout = text(child.stdout as never);
  const whenEnded = Promise.all([code, stdout]).then(([code, stdout]) => ({ code, stdout, stderr: printed.join('') }));
  return { child, address: new URL(await printedAddress), ended: whenEnded };
}

const allow = (page: Page) => page.getByRole('button', { name: 'Allow sign-in' }).click();
const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

describe(`the sign-in of the command line by browser${reason}`, () => {
  onLinux('signs in after the user has allowed it, also on the way through the sign-in page', async () => {
    const member = await memberOf(organization, 'CONTRIB');
    const { address, ended } = await login('--browser');
    const person = await visitor(address.href);
    const { page } = person;
    await page.waitForURL('**/sign-in?back=**');
    await person.signIn(member);
    await heading(page, 'Allow the command line to sign in?');

    const number = comparisonNumber(address.searchParams.get('challenge') ?? '');
    expect(await page.getByText(number).count()).toBe(1);
    expect(await page.getByText(member.email).count()).toBe(1);
    expect(await page.getByText(organization.name).count()).toBe(1);
    expect(await person.violationsInEveryLook()).toEqual([]);
    await allow(page);
    await heading(page, 'You are signed in');

    const { code, stdout, stderr } = await ended;
    expect([code, stdout]).toEqual([0, expect.stringContaining(`Signed in at ${core().origin} as Ada`)]);
    expect(stderr).toContain(`if the page shows the number ${number}`);
    expect(page.url()).toBe(`${gateway().origin}/command-line?result=done`);
    await page.goBack().catch(() => null);
    expect(page.url()).not.toContain('code=');
    expect(await person.allErrors()).toEqual([]);

    expect(await strata.json(['whoami'])).toMatchObject({ email: member.email, role: 'CONTRIB' });
    await page.goto('/account');
    await page.getByText(/^strata on /).waitFor();
    expect(await strata.json(['logout'])).toMatchObject({ session_ended: true });
  });

  onLinux('ends without a session if the user cancels it', async () => {
    const { address, ended } = await login('--browser');
    const { page } = await signedIn(organization, address.href);

    await page.getByRole('button', { name: 'Cancel' }).click();
    await heading(page, 'Sign-in cancelled');

    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([3, expect.stringContaining('cancelled in the browser')]);
    expect((await strata.run(['whoami'])).code).toBe(3);
  });

  onLinux('ignores requests of pages that do not know its state, and reports a wrong code', async () => {
    const { address, ended } = await login('--browser');
    const listener = `http://127.0.0.1:${address.searchParams.get('port')}`;
    const state = String(address.searchParams.get('state'));
    expect((await fetch(`${listener}/?code=x&state=wrong`)).status).toBe(404);
    expect((await fetch(`${listener}//?code=x&state=${state}`)).status).toBe(404);
    expect((await fetch(`${listener}/?code=x&state=${state}`, { method: 'POST' })).status).toBe(404);

    const response = await fetch(`${listener}/?code=wrong&state=${state}`, { redirect: 'manual' });

    expect([response.status, response.headers.get('location')]).toEqual([
      ...[303, `${gateway().origin}/command-line?result=failed`],
    ]);
    const { code, stderr } = await ended;
    expect([code, stderr]).toEqual([3, expect.stringContaining('The code is wrong, has expired or was used already.')]);
  });

  journey('signs in on a machine without a browser with the code that the page shows', async () => {
    const { child, address, ended } = await login('--no-browser');
    expect([...address.searchParams.keys()]).toEqual(['challenge', 'machine']);
    const person = await signedIn(organization, address.href);
    await allow(person.page);
    await heading(person.page, 'Enter this code in the terminal');
    expect(await person.violationsInEveryLook()).toEqual([]);
    const code = await person.page.locator('code').textContent();

    child.stdin?.end(`${code}\n`);

    const { code: exitCode, stdout, stderr } = await ended;
    expect([exitCode, stdout]).toEqual([0, expect.stringContaining('Signed in at')]);
    expect(stdout + stderr).not.toContain(code);
    const { addresses } = JSON.parse(fs.readFileSync(path.join(strata.home, '.config/strata/sign-ins.json'), 'utf8'));
    const { body } = await new RawClient(core().origin, addresses[core().origin].authorization).get<PageOf<Session>>(
      'users/current/sessions/',
    );
    expect(body.results).toContainEqual(expect.objectContaining({ is_current: true, method: 'password' }));
  });

  journey('cannot be allowed with an incomplete address, or by a service account', async () => {
    const { page } = await signedIn(organization, '/command-line?challenge=short&machine=laptop&port=4000');
    await heading(page, 'Incomplete link');
    expect(await page.getByRole('button').count()).toBe(0);

    const key = (await organization.authorization('OWNER')).replace(/^Api-Key /, '');
    const robot = await visitor('/sign-in');
    await robot.page.request.post('/session', { data: { apiKey: key }, headers: { origin: gateway().origin } });
    await robot.page.goto(`/command-line?challenge=${'A'.repeat(43)}&machine=laptop`);
    await heading(robot.page, 'Sign in as a person');
    expect(await robot.page.getByRole('button').count()).toBe(0);
  });
});
