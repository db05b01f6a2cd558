import { type ConsolePerson, LOOKS } from './console-browser.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { eventually } from './processes.ts';

const { journey, reason, core, visitor, memberOf } = await setUpConsoleTests();

/** The columns of the matrix in the sample platform. */
const [PRODUCTION, CANARY] = [2, 3];

async function load({ page }: ConsolePerson): Promise<void> {
  await page.getByRole('button', { name: 'Load sample platform' }).click();
  await page.waitForURL('**/projects/postgresql');
}

async function applyReviewed(person: ConsolePerson): Promise<void> {
  await person.page.getByLabel('Reason').fill('More room for backups');
  await person.apply();
  await person.applied();
}

async function undo({ page }: ConsolePerson): Promise<void> {
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText(/^Undone \(revision \d+\)\.$/).waitFor();
}

const sees = (person: ConsolePerson, name: string, expected: RegExp, column = 0) =>
  eventually(`${name} reads ${expected}`, async () => expected.test((await person.announced(name))[column] ?? ''));

describe(`a new user${reason}`, () => {
  journey(
    'signs in, loads the sample platform, changes production, sees the change in a dark 375 px window, and undoes it',
    async () => {
      const organization = await core().organization();
      const member = await memberOf(organization, 'ADMIN');
      const newUser = await visitor('/');
      await newUser.signIn(member);
      await load(newUser);
      const phone = await visitor('/projects/postgresql?env=canary', {
        ...LOOKS['at 375 px'],
        colorScheme: 'dark',
      });
      await phone.signIn(member);
      await phone.live();
      const [timeoutBefore = '', workersBefore = ''] = await Promise.all(
        ['archive_timeout', 'autovacuum_max_workers'].map(async (name) => (await newUser.announced(name))[CANARY]),
      );

      await newUser.write('archive_timeout', PRODUCTION, '120');
      await newUser.write('autovacuum_max_workers', PRODUCTION, '8');
      expect((await newUser.announced('archive_timeout'))[CANARY]).toMatch(/^120, will inherit from production/);
      expect((await newUser.announced('autovacuum_max_workers'))[CANARY]).toMatch(/^8, will inherit from production/);
      await newUser.page.getByRole('link', { name: 'Review' }).click();
      await newUser.page.getByRole('heading', { name: '4 effective values change' }).waitFor();
      await applyReviewed(newUser);
      await sees(phone, 'archive_timeout', /120/);
      await sees(phone, 'autovacuum_max_workers', /\b8\b/);
      await undo(newUser);
      await sees(phone, 'archive_timeout', new RegExp(timeoutBefore.split(',')[0] ?? ''));
      await sees(phone, 'autovacuum_max_workers', new RegExp(workersBefore.split(',')[0] ?? ''));

      // The undo is shown in the other window, too.
      await newUser.page.goto('/projects/postgresql');
      await newUser.live();
      await phone.row('archive_timeout').getByRole('gridcell').click();
      await phone.page.keyboard.type('240');
      await phone.page.keyboard.press('Enter');
      await phone.page.getByRole('link', { name: 'Review' }).click();
      await phone.page.getByRole('heading', { name: '1 effective value changes' }).waitFor();
      expect(await phone.accessibilityViolations()).toEqual([]);
      expect(await phone.isWiderThanScreen()).toBe(false);
      await applyReviewed(phone);
      await sees(newUser, 'archive_timeout', /240/, CANARY);
      await undo(phone);
      await eventually(
        'canary is what it was',
        async () => (await newUser.announced('archive_timeout'))[CANARY] === timeoutBefore,
      );
      expect([...(await newUser.allErrors()), ...(await phone.allErrors())]).toEqual([]);
    },
  );
});
