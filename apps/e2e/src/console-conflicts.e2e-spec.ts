import type { Page, Parameter, RecordedChangeset, ServiceAccountCreated, Value } from '@strata/contract';
import { type ConsolePerson, LOOKS } from './console-browser.ts';
import { allowClipboard, readClipboard } from './console-clipboard.ts';
import { holdRequests } from './console-held-requests.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { type ConsolePlatform, createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn, visitor } = await setUpConsoleTests();
const platform = async () => createPlatform(await core().organization());

const [DEFAULT, PRODUCTION, STAGING] = [0, 2, 3];

const set = ({ organization, web }: ConsolePlatform, environment: string, values: object) =>
  organization.owner.put(`${web.url}values/?environment=${environment}`, { values });

async function parameterNamed({ organization, web }: ConsolePlatform, name: string): Promise<Parameter> {
  const { body } = await organization.owner.get<Page<Parameter>>(`${web.url}parameters/?name=${name}`);
  const [parameter] = body.results;
  if (!parameter) throw new Error(`There is no ${name}.`);
  return parameter;
}

/** Returns the stored values of a name by environment. */
async function stored(shop: ConsolePlatform, name: string): Promise<Readonly<Record<string, string | null>>> {
  const { url } = await parameterNamed(shop, name);
  const { body } = await shop.organization.owner.get<Page<Value>>(`${url}values/`);
  return Object.fromEntries(body.results.map(({ environment_name: at, value }) => [at, value]));
}

const review = ({ page }: ConsolePerson) => page.getByRole('link', { name: 'Review' }).click();
const choice = ({ page }: ConsolePerson, name: string) => page.getByRole('listitem', { name });

describe(`two users who change one value${reason}`, () => {
  journey('lose nothing: the second one sees both values and the original, and decides', async () => {
    const shop = await platform();
    const [first, second] = [
      await signedIn(shop.organization, '/projects/web'),
      await signedIn(shop.organization, '/projects/web'),
    ];
    await second.live();
    await second.write('GREETING', DEFAULT, 'mine');
    await first.write('GREETING', DEFAULT, 'theirs');
    await review(first);
    await first.apply();
    await first.applied();

    await second.page.getByText('1 conflict').waitFor();
    expect((await second.announced('GREETING'))[DEFAULT]).toMatch(/^mine, changed by someone else/);
    await review(second);
    const about = choice(second, 'GREETING in default');
    await about.getByText('Ada').waitFor();
    expect(await about.getByRole('definition').allTextContents()).toEqual(['hello', 'theirs', 'mine']);
    // A later change replaces the time and the author at once, also while the request for them is slow.
    const release = await holdRequests(second, 'SinceWhen');
    await set(shop, 'default', { GREETING: 'theirs again' });
    await about.getByText('theirs again').waitFor();
    expect(await about.locator('time').count()).toBe(0);
    release();
    const { body: written } = await shop.organization.owner.get<Page<RecordedChangeset>>('changesets/?page_size=1');
    await about.locator(`time[datetime="${written.results[0]?.at}"]`).waitFor();
    await set(shop, 'default', { GREETING: 'theirs' });
    await about.getByText('theirs', { exact: true }).waitFor();
    await allowClipboard(second);
    await about.getByRole('button', { name: 'Copy their value of GREETING in default' }).click();
    expect(await readClipboard(second)).toBe('theirs');
    expect(await second.page.getByRole('button', { name: /^Apply/ }).isDisabled()).toBe(true);
    expect(await stored(shop, 'GREETING')).toMatchObject({ default: 'theirs' });

    await about.getByRole('button', { name: 'Keep mine' }).click();
    await second.page.getByRole('heading', { name: /effective values change/ }).waitFor();
    await second.apply();
    await second.applied();
    expect(await stored(shop, 'GREETING')).toMatchObject({ default: 'mine' });
    expect([...(await first.allErrors()), ...(await second.allErrors())]).toEqual([]);
  });

  journey('are told apart by the server when they apply at the same moment', async () => {
    const shop = await platform();
    const people = [
      await signedIn(shop.organization, '/projects/web'),
      await signedIn(shop.organization, '/projects/web'),
    ];
    for (const [at, person] of people.entries()) {
      await person.write('UNSET', STAGING, `of ${at}`);
      await review(person);
      await person.page.getByRole('heading', { name: /effective values? changes?/ }).waitFor();
    }
    await Promise.all(people.map((person) => person.apply()));

    const outcomes = await Promise.all(
      people.map((person) =>
        Promise.race([
          person.applied().then(() => 'applied'),
          choice(person, 'UNSET in staging')
            .waitFor()
            .then(() => 'conflict'),
        ]),
      ),
    );
    expect([...outcomes].sort()).toEqual(['applied', 'conflict']);
    expect(await stored(shop, 'UNSET')).toEqual({ staging: `of ${outcomes.indexOf('applied')}` });
    const loser = people[outcomes.indexOf('conflict')];
    await choice(loser as ConsolePerson, 'UNSET in staging')
      .getByRole('button', { name: 'Take theirs' })
      .click();
    await loser?.page.getByRole('heading', { name: 'Nothing to review' }).waitFor();
  });
});

describe(`a drafted secret${reason}`, () => {
  journey('is not set in a parameter that is no longer secret, and is not shown', async () => {
    const shop = await platform();
    const { organization, web } = shop;
    const person = await signedIn(organization, '/projects/web');
    await person.live();
    await person.write('TOKEN', STAGING, 'canary-secret');
    const { url } = await parameterNamed(shop, 'TOKEN');
    await organization.owner.delete(url);
    await organization.parameter({ project: web, name: 'TOKEN' });

    await person.page.getByText('1 conflict').waitFor();
    await review(person);
    const about = choice(person, 'TOKEN in staging');
    await about.getByText('the parameter is no longer secret').waitFor();
    expect(await about.getByRole('button').allTextContents()).toEqual(['Discard mine']);
    expect(await person.everythingReadable()).not.toContain('canary-secret');
    await about.getByRole('button').click();
    await person.page.getByRole('heading', { name: 'Nothing to review' }).waitFor();
    expect(await stored(shop, 'TOKEN')).toEqual({});
    expect(await person.allErrors()).toEqual([]);
  });
});

describe(`a draft of a value that changes meanwhile${reason}`, () => {
  journey(
    'is not a conflict if the new version has the same value, and shows a conflict of texts line by line',
    async () => {
      const shop = await platform();
      const person = await signedIn(shop.organization, '/projects/web');
      await person.live();
      await person.write('GREETING', PRODUCTION, 'mine');
      const { organization, web } = shop;
      const secondResult = { values: { GREETING: 'good day' }, touch: true };
      await organization.owner.put(`${web.url}values/?environment=production`, secondResult);
      await person.page.reload();
      await person.page.getByText('1 change').waitFor();
      await person.live();
      expect((await person.announced('GREETING'))[PRODUCTION]).toBe('mine, draft (was good day, set here)');
      expect(await person.page.getByText('1 conflict').count()).toBe(0);

      await set(shop, 'production', { GREETING: 'good day\nto all' });
      await person.page.getByText('1 conflict').waitFor();
      await review(person);
      const theirs = choice(person, 'GREETING in production').locator('[data-side="theirs"] [data-line]');
      await theirs.nth(1).waitFor();
      expect(await theirs.evaluateAll((lines) => lines.map((line) => (line as unknown as Line).dataset.line))).toEqual([
        'same',
        'new',
      ]);
      await choice(person, 'GREETING in production').getByRole('button', { name: 'Take theirs' }).click();
      await person.page.getByRole('heading', { name: 'Nothing to review' }).waitFor();
      expect(await person.allErrors()).toEqual([]);
    },
  );

  journey('is listed as a conflict when its parameter is renamed or deleted', async () => {
    const shop = await platform();
    const person = await signedIn(shop.organization, '/projects/web');
    await person.live();
    await person.write('GREETING', STAGING, 'mine');
    await person.write('BLANK', STAGING, 'lost');
    const [renamed, deleted] = [await parameterNamed(shop, 'BLANK'), await parameterNamed(shop, 'NOTHING')];
    await person.write('NOTHING', STAGING, 'nowhere');
    await shop.organization.owner.patch(renamed.url, { name: 'EMPTY' });
    await shop.organization.owner.delete(deleted.url);

    await person.page.getByText('2 conflicts').waitFor();
    await review(person);
    await choice(person, 'NOTHING in staging').getByRole('button', { name: 'Discard mine' }).click();
    await choice(person, 'BLANK in staging').getByRole('button', { name: 'Set it as EMPTY' }).click();
    await person.page.getByRole('heading', { name: '3 effective values change' }).waitFor();
    await person.apply();
    await person.applied();
    expect(await stored(shop, 'EMPTY')).toMatchObject({ staging: 'lost' });
    expect(await person.allErrors()).toEqual([]);
  });

  journey('is kept when the user’s API key is revoked, and restored after the next sign-in', async () => {
    const shop = await platform();
    const { owner } = shop.organization;
    const account = (await owner.post<ServiceAccountCreated>('serviceaccounts/', { name: 'ci', role: 'CONTRIB' })).body;
    const person = await visitor('/projects/web');
    const { page } = person;
    const signIn = async (key: string) => {
      await page.getByRole('button', { name: 'Use an API key' }).click();
      await page.getByLabel('API key').fill(key);
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    await signIn(account.apikey);
    await person.write('GREETING', STAGING, 'mine');
    await person.live();
    const anew = (await owner.post<ServiceAccountCreated>(`${account.url}rekey/`, {})).body;
    await page.waitForURL('**/sign-in?back=**');

    await signIn(anew.apikey);
    await page.getByText('1 change').waitFor();
    await person.row('GREETING').waitFor();
    expect((await person.announced('GREETING'))[STAGING]).toBe('mine, draft (was hello, inherited)');
    expect(await person.everythingReadable()).not.toContain(anew.apikey);
    person.clearErrors();
  });

  journey.each(Object.keys(LOOKS))('shows its conflict accessibly: %s', async (lookName) => {
    const shop = await platform();
    const person = await signedIn(shop.organization, '/projects/web?env=staging', { look: LOOKS[lookName] ?? {} });
    await person.live();
    await person.write('GREETING', lookName === 'at 375 px' ? 0 : STAGING, 'mine');
    await set(shop, 'staging', { GREETING: 'theirs' });
    await person.page.getByText('1 conflict').waitFor();

    expect(await person.accessibilityViolations()).toEqual([]);
    await review(person);
    await choice(person, 'GREETING in staging').waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });
});

interface Line {
  readonly dataset: { readonly line: string };
}
