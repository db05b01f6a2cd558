import { type ConsolePerson, LOOKS } from './console-browser.ts';
import { consoleJourneys } from './console-journeys.ts';
import { eventually } from './processes.ts';

const { journey, reason, core, visitor, memberOf } = await consoleJourneys();

/** The columns of the matrix in the sample platform. */
const [PRODUCTION, CANARY] = [2, 3];

async function load({ page }: ConsolePerson): Promise<void> {
  await page.getByRole('button', { name: 'Load sample platform' }).click();
  await page.waitForURL('**/projects/postgresql');
}

async function applyReviewed({ page }: ConsolePerson): Promise<void> {
  await page.getByLabel('Reason').fill('More room for backups');
  await page.getByRole('button', { name: /^Apply/ }).click();
  await page.getByRole('heading', { name: /^Applied as revision \d+$/ }).waitFor();
}

async function undo({ page }: ConsolePerson): Promise<void> {
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText(/^Undone \(revision \d+\)\.$/).waitFor();
}

const sees = (person: ConsolePerson, name: string, told: RegExp, column = 0) =>
  eventually(`${name} reads ${told}`, async () => told.test((await person.heard(name))[column] ?? ''));

describe(`a new user${reason}`, () => {
  journey(
    'signs in, loads the sample platform, changes production, sees the change in a dark 375 px window, and undoes it',
    async () => {
      const organization = await core().organization();
      const member = await memberOf(organization, 'ADMIN');
      const stranger = await visitor('/');
      await stranger.signIn(member);
      await load(stranger);
      const telephone = await visitor('/projects/postgresql?env=canary', {
        ...LOOKS['at 375 px'],
        colorScheme: 'dark',
      });
      await telephone.signIn(member);
      await telephone.live();
      const [timeoutBefore = '', workersBefore = ''] = await Promise.all(
        ['archive_timeout', 'autovacuum_max_workers'].map(async (name) => (await stranger.heard(name))[CANARY]),
      );

      await stranger.write('archive_timeout', PRODUCTION, '120');
      await stranger.write('autovacuum_max_workers', PRODUCTION, '8');
      expect((await stranger.heard('archive_timeout'))[CANARY]).toBe('120, will inherit from production');
      expect((await stranger.heard('autovacuum_max_workers'))[CANARY]).toBe('8, will inherit from production');
      await stranger.page.getByRole('link', { name: 'Review' }).click();
      await stranger.page.getByRole('heading', { name: '4 effective values change' }).waitFor();
      await applyReviewed(stranger);
      await sees(telephone, 'archive_timeout', /120/);
      await sees(telephone, 'autovacuum_max_workers', /\b8\b/);
      await undo(stranger);
      await sees(telephone, 'archive_timeout', new RegExp(timeoutBefore.split(',')[0] ?? ''));
      await sees(telephone, 'autovacuum_max_workers', new RegExp(workersBefore.split(',')[0] ?? ''));

      // The undo is shown in the other window, too.
      await stranger.page.goto('/projects/postgresql');
      await stranger.live();
      await telephone.row('archive_timeout').getByRole('gridcell').click();
      await telephone.page.keyboard.type('240');
      await telephone.page.keyboard.press('Enter');
      await telephone.page.getByRole('link', { name: 'Review' }).click();
      await telephone.page.getByRole('heading', { name: '1 effective value changes' }).waitFor();
      expect(await telephone.barriers()).toEqual([]);
      expect(await telephone.widerThanScreen()).toBe(false);
      await applyReviewed(telephone);
      await sees(stranger, 'archive_timeout', /240/, CANARY);
      await undo(telephone);
      await eventually(
        'canary is what it was',
        async () => (await stranger.heard('archive_timeout'))[CANARY] === timeoutBefore,
      );
      expect([...(await stranger.allComplaints()), ...(await telephone.allComplaints())]).toEqual([]);
    },
  );
});
