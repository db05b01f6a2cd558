// biome-ignore-all lint/suspicious/noTemplateCurlyInString: dotenv files refer to variables in this way
import { randomUUID } from 'node:crypto';
import type { AppliedChangeset, Effective, Page, Parameter, RecordedChangeset } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import type { Locator } from 'playwright-core';
import { type ConsolePerson } from './console-browser.ts';
import { allowClipboard, readClipboard } from './console-clipboard.ts';
import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const [FIRST, SECOND] = [`canary-${randomUUID()}`, `canary-${randomUUID()}`];

/** Creates `web` with a text in default, a secret, and an integer. */
async function createProject() {
  const organization = await core().organization();
  await organization.owner.post<AppliedChangeset>('changesets/', {
    operations: [
      { operation: 'projects_create', body: { name: 'web' } },
      {
        set: {
          project: 'web',
          environment: 'default',
          create_missing: true,
          values: {
            HOST: 'web.example',
            LEVEL: 'info',
            PORT: { value: '80', type: 'integer' },
            TOKEN: { value: 'old', secret: true },
          },
        },
      },
    ],
  });
  return organization;
}

async function fetchProjectUrl({ owner }: TestOrganization): Promise<string> {
  const { body } = await owner.get<Page<{ url: string }>>('projects/?name=web');
  return body.results[0]?.url ?? '';
}

async function readIn(organization: TestOrganization, environment: string) {
  const url = await fetchProjectUrl(organization);
  return (await organization.owner.get<Effective>(`${url}effective/?environment=${environment}`)).body.values;
}

/** Selects files in the page as a user does. */
async function give({ page }: ConsolePerson, files: Readonly<Record<string, string>>): Promise<void> {
  await page
    .getByLabel('Choose files')
    .setInputFiles(
      Object.entries(files).map(([name, text]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })),
    );
}

/** Returns the effect of each line for an environment. */
async function linesShown({ page }: ConsolePerson, environment: string): Promise<readonly string[]> {
  const rows = page.getByRole('region', { name: `Lines for ${environment} in` }).locator('tbody tr');
  await rows.first().waitFor();
  const types = await rows.evaluateAll((elements) =>
    (elements as unknown as { querySelector(selector: string): { value: string } | null }[]).map(
      (row) => row.querySelector('select')?.value ?? '',
    ),
  );
  // The text of a row contains all types that the user can choose.
  return (await rows.allInnerTexts()).map((text, at) =>
    text
      .replace(/string\s+integer\s+boolean/, types[at] ?? '')
      .replace(/[•\s]+/g, ' ')
      .trim(),
  );
}

/** Returns whether a button is visible without the pointer or the focus. */
const isOpaque = (button: Locator): Promise<boolean> =>
  button.evaluate((element) => {
    const { getComputedStyle } = globalThis as unknown as { getComputedStyle(element: unknown): { opacity: string } };
    return getComputedStyle((element as unknown as { parentElement: unknown }).parentElement).opacity === '1';
  });

describe(`the import in the console${reason}`, () => {
  journey('shows the result of each line of several files, and applies all of them as one changeset', async () => {
    const organization = await createProject();
    const person = await signedIn(organization, '/projects/web/import');
    const { page } = person;
    await page.getByRole('heading', { name: 'Paste or drop files' }).waitFor();
    await give(person, {
      '.env.staging': `# staging\nHOST=web.example\nLEVEL=debug\nLEVEL=trace\nAPI_KEY=${FIRST}\nTOKEN=${SECOND}\nno assignment ${FIRST}\n`,
      'production.env': 'LEVEL=warning\nPORT=443\nURL=https://{{HOST}}:${PORT}\nTOKEN=${LEVEL}\nNOTE=${GONE}\n',
    });

    expect(await linesShown(person, 'staging')).toEqual([
      '7 Skipped: expected NAME=value',
      '2 HOST web.example web.example unchanged',
      '3 LEVEL overridden by line 4',
      '4 LEVEL info trace overrides the inherited value',
      '5 API_KEY no parameter hidden string new parameter API_KEY is secret named like a credential',
      '6 TOKEN hidden set',
    ]);
    expect(await linesShown(person, 'production')).toEqual([
      '1 LEVEL info warning overrides the inherited value',
      '2 PORT 80 443 overrides the inherited value',
      '3 URL no parameter https://{{HOST}}:${PORT} string new parameter URL is secret',
      '4 TOKEN hidden set',
      '5 NOTE no parameter ${GONE} string new parameter NOTE is secret',
    ]);
    await page.getByText('3 new, 5 to set or change, 1 unchanged, 1 marked secret').waitFor();
    const references = page.getByRole('group', { name: '3 lines with references' });
    expect(await references.getByRole('listitem').allTextContents()).toEqual([
      'Line 3 for production: URL refers to HOST, PORT',
      'Line 4 for production: TOKEN stays text. The value of a secret cannot refer to others.',
      'Line 5 for production: NOTE stays text. The project has no parameter named GONE.',
    ]);
    expect(await page.getByRole('button', { name: 'Choose what to do with references' }).isDisabled()).toBe(true);
    expect(await person.accessibilityViolations()).toEqual([]);
    await page.getByLabel('Keep them as text').check();
    expect((await linesShown(person, 'production'))[2]).toContain('https://{{HOST}}:${PORT} string new parameter');
    await page.getByLabel('Resolve references').check();
    expect((await linesShown(person, 'production'))[2]).toContain(
      'https://{{HOST}}:{{ PORT }} string new parameter, with references',
    );
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('heading', { name: '8 effective values change' }).waitFor();
    expect(await person.accessibilityViolations()).toEqual([]);
    await page.getByRole('button', { name: 'Import 8 values' }).click();
    await page.waitForURL('**/projects/web');

    const staging = { HOST: 'web.example', LEVEL: 'trace', PORT: '80', TOKEN: SECOND, API_KEY: FIRST };
    expect(await readIn(organization, 'staging')).toEqual(staging);
    expect(await readIn(organization, 'production')).toEqual({
      ...{ HOST: 'web.example', LEVEL: 'warning', PORT: '443' },
      ...{ URL: 'https://web.example:443', TOKEN: '${LEVEL}', NOTE: '${GONE}' },
    });
    const { body } = await organization.owner.get<Page<RecordedChangeset>>('changesets/?page_size=1');
    expect(body.results).toMatchObject([{ message: 'web from .env.staging, production.env', surface: 'graphql' }]);
    const readable = await person.everythingReadable();
    for (const secret of [FIRST, SECOND]) expect(readable).not.toContain(secret);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('recognizes the export of a secret store, and marks everything in it as secret', async () => {
    const person = await signedIn(await createProject(), '/projects/web/import');
    await give(person, { 'staging.json': `[{ "key": "MOTTO", "value": "${FIRST}", "type": "shared", "_id": "1" }]` });

    expect(await linesShown(person, 'staging')).toEqual([
      '1 MOTTO no parameter hidden string new parameter MOTTO is secret from a secret store',
    ]);
    await person.page.getByText('1 new, 1 marked secret').waitFor();
    expect(await person.everythingReadable()).not.toContain(FIRST);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('rejects a file that is not UTF-8, and lets the user choose the environment of others', async () => {
    const person = await signedIn(await createProject(), '/projects/web/import');
    const { page } = person;
    const latin1 = Buffer.from('NAME=caf\xe9\n', 'latin1');
    await page.getByLabel('Choose files').setInputFiles([{ name: 'old.env', mimeType: 'text/plain', buffer: latin1 }]);
    await page.getByRole('alert').getByText('old.env, line 1: The text is not UTF-8').waitFor();
    await give(person, { 'pre-production.env': 'LEVEL=debug\n' });
    const button = page.getByRole('button', { name: 'Choose environments first' });
    expect(await button.isDisabled()).toBe(true);
    await page.getByLabel('into').selectOption('staging');
    expect(await linesShown(person, 'staging')).toEqual(['1 LEVEL info debug overrides the inherited value']);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('has a button that copies each value, which phones always show', async () => {
    const organization = await createProject();
    const contextOptions = { viewport: { width: 375, height: 740 }, isMobile: true, hasTouch: true };
    const person = await signedIn(organization, '/projects/web/import', { look: contextOptions });
    const { page } = person;
    await allowClipboard(person);
    await give(person, { '.env.staging': `LEVEL=debug\nTOKEN=${FIRST}\n` });
    const copied: string[] = [];
    for (const which of ['old', 'new']) {
      const button = page.getByRole('button', { name: `Copy ${which} value of LEVEL in staging` });
      expect(await isOpaque(button)).toBe(true);
      await button.click();
      await page.getByText('Copied').first().waitFor({ state: 'attached' });
      copied.push(await readClipboard(person));
    }

    expect(copied).toEqual(['info', 'debug']);
    expect(await page.getByRole('button', { name: /Copy .*TOKEN/ }).count()).toBe(0);
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('reads JSON that names environments, and nested YAML, and keeps numbers exactly as written', async () => {
    const organization = await createProject();
    const person = await signedIn(organization, '/projects/web/import');
    const { page } = person;
    await give(person, {
      'all.json': `{"staging": {"HOST": "s.example", "big": 12345678901234567890}, "production": {"HOST": null}}`,
      'more.yaml': 'db:\n  host: db.example\n  ports: [1, 2]\n  on: true\n  retries: 3\n  code: 5\n',
    });
    await page.getByText('into the environments it names').waitFor();
    await page.getByRole('region', { name: 'more.yaml' }).getByLabel('into').selectOption('staging');
    await page.getByLabel('Join nested keys with').selectOption('db.host');
    expect(await linesShown(person, 'staging')).toEqual([
      '1 HOST web.example s.example overrides the inherited value',
      '1 big no parameter 12345678901234567890 string new parameter big is secret',
      '2 db.host no parameter db.example string new parameter db.host is secret',
      '3 db.ports no parameter [1,2] string new parameter db.ports is secret',
      '4 db.on no parameter true boolean new parameter db.on is secret',
      '5 db.retries no parameter 3 integer new parameter db.retries is secret',
      '6 db.code no parameter 5 integer new parameter db.code is secret',
    ]);
    const typeNote = page.getByRole('status').filter({ hasText: 'Use string' });
    await typeNote.getByText('Integer: db.retries, db.code. Boolean: db.on.').waitFor();
    await page.getByLabel('Type of db.code').selectOption('string');
    await typeNote.getByText('Integer: db.retries. Boolean: db.on.').waitFor();
    await page.keyboard.press('Escape');
    await typeNote.waitFor({ state: 'detached' });
    await give(person, { 'later.yaml': 'timeout: 30\n' });
    await page.getByRole('region', { name: 'later.yaml' }).getByLabel('into').selectOption('production');
    await typeNote.getByText('Integer: timeout.').waitFor();
    expect((await linesShown(person, 'staging')).filter((line) => !line.includes('string new'))).toHaveLength(1);
    await page.getByLabel('Type of db.retries').selectOption('integer');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('button', { name: 'Import 9 values' }).click();
    await page.waitForURL('**/projects/web');
    const url = `${await fetchProjectUrl(organization)}parameters/?name__startswith=db.`;
    const { body } = await organization.owner.get<Page<Parameter>>(url);
    expect(Object.fromEntries(body.results.map(({ name, type }) => [name, type]))).toMatchObject({
      ...{ 'db.code': 'string', 'db.on': 'string', 'db.retries': 'integer' },
    });

    expect(await readIn(organization, 'staging')).toMatchObject({
      HOST: 's.example',
      big: '12345678901234567890',
      'db.host': 'db.example',
      'db.ports': '[1,2]',
      'db.on': 'true',
    });
    expect(await readIn(organization, 'production')).toMatchObject({ HOST: null });
    expect(await person.allErrors()).toEqual([]);
  });

  journey(
    'shows rejected lines and stores nothing, and applies the import after the user has replaced its text',
    async () => {
      const organization = await createProject();
      const person = await signedIn(organization, '/projects/web/import');
      const { page } = person;
      await page.getByLabel('dotenv, JSON or YAML').fill(`PORT=many\nAPI_KEY=${FIRST}\n`);
      await page.getByRole('button', { name: 'Preview', exact: true }).click();
      await page.getByLabel('API_KEY is secret').uncheck();
      await page.getByRole('button', { name: 'Preview changes' }).click();
      const row = page.getByRole('row').filter({ hasText: 'PORT' });
      await row.getByText('rejected').waitFor();
      expect(await page.getByRole('button', { name: 'Import 2 values' }).isDisabled()).toBe(true);
      expect(await person.accessibilityViolations()).toEqual([]);

      await page.getByRole('button', { name: /^Remove Pasted text/ }).click();
      await page.getByLabel('dotenv, JSON or YAML').fill('LABEL=x\nPORT=81\n');
      await page.getByRole('button', { name: 'Preview', exact: true }).click();
      await page.getByRole('button', { name: 'Preview changes' }).click();
      await page.getByRole('button', { name: 'Import 2 values' }).click();
      await page.waitForURL('**/projects/web');
      const { body } = await organization.owner.get<Page<Parameter>>(
        `${await fetchProjectUrl(organization)}parameters/`,
      );
      expect(body.results.map(({ name }) => name)).toEqual(['HOST', 'LABEL', 'LEVEL', 'PORT', 'TOKEN']);
      expect(await readIn(organization, 'default')).toMatchObject({ PORT: '81' });
    },
  );

  journey('shows changes of other users at once, and overwrites no value unseen', async () => {
    const organization = await createProject();
    const person = await signedIn(organization, '/projects/web/import');
    const { page } = person;
    await give(person, { '.env': 'LEVEL=debug\n' });
    expect(await linesShown(person, 'default')).toEqual(['1 LEVEL info debug changed']);
    await organization.owner.post('changesets/', {
      operations: [{ set: { project: 'web', environment: 'default', values: { LEVEL: 'error' } } }],
    });
    await page.getByRole('cell', { name: 'error' }).waitFor();
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByRole('heading', { name: /effective values change$/ }).waitFor();
    await page.getByLabel('Reason').fill('To see more');
    await organization.owner.post('changesets/', {
      operations: [{ set: { project: 'web', environment: 'default', values: { LEVEL: 'trace' } } }],
    });
    await page.getByText('New entries are marked').waitFor();

    // Constant changes of another project neither repeat the plan nor delay the import.
    await organization.project({ name: 'other' });
    const operations = person.recordOperations();
    const apply = page.getByRole('button', { name: 'Import 1 value' });
    for (let at = 0; at < 60; at += 1) {
      const set = { project: 'other', environment: 'default', values: { COUNT: String(at) }, create_missing: true };
      await organization.owner.post('changesets/', { operations: [{ set }] });
      if (at >= 10) expect(await apply.isEnabled()).toBe(true);
    }
    expect(operations.filter((operation) => operation === 'PlanChangeset')).toEqual([]);
    expect(operations.length).toBeLessThan(60);
    await apply.click();
    await page.waitForURL('**/projects/web');
    expect(await readIn(organization, 'default')).toMatchObject({ LEVEL: 'debug' });
    const { body } = await organization.owner.get<Page<RecordedChangeset>>('changesets/?page_size=1');
    expect(body.results[0]?.message).toBe('To see more');

    await page.getByText('Applied as').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone (revision').waitFor();
    expect(await readIn(organization, 'default')).toMatchObject({ LEVEL: 'trace' });
  });

  journey('asks for confirmation before discarding its files, and accepts a removed file again', async () => {
    const person = await signedIn(await createProject(), '/projects/web/import');
    const { page } = person;
    const files = { 'staging.env': 'LEVEL=debug\n' };
    for (const _ of ['first', 'again']) {
      await give(person, files);
      await linesShown(person, 'staging');
      await page.getByRole('button', { name: 'Remove staging.env' }).click();
      await page.getByRole('heading', { name: 'Paste or drop files' }).waitFor();
    }
    await give(person, files);
    await linesShown(person, 'staging');
    await page.getByRole('link', { name: 'Export' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
    expect(await linesShown(person, 'staging')).toEqual(['1 LEVEL info debug overrides the inherited value']);
    await page.getByRole('link', { name: 'Export' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave and discard' }).click();
    await page.waitForURL(/projects\/web\/export/);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('is read-only for a viewer and only works in the present', async () => {
    const organization = await createProject();
    const reader = await signedIn(organization, '/projects/web/import', { role: 'VIEWER' });
    await reader.page.getByText('You can read this project but not import into it.').waitFor();
    expect(await reader.page.getByRole('textbox').count()).toBe(0);
    expect(await reader.accessibilityViolations()).toEqual([]);

    const person = await signedIn(organization, '/projects/web/import?at=r2');
    await person.page.getByRole('heading', { name: 'Paste or drop files' }).waitFor();
    expect(new URL(person.page.url()).search).toBe('');
  });

  journey('is accessible and fits the screen in every theme and screen size', async () => {
    const organization = await createProject();
    await organization.environment({ name: `long ${'x'.repeat(200)}` });
    const person = await signedIn(organization, '/projects/web/import');
    await person.page.getByRole('heading', { name: 'Paste or drop files' }).waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);
    await give(person, { 'staging.yaml': `HOST: ${'x'.repeat(200)}\napi_key: ${FIRST}\nLEVEL: info\n` });
    await linesShown(person, 'staging');

    expect(await person.violationsInEveryLook()).toEqual([]);
    const beyond = await person.page.getByRole('main').evaluate((main) => {
      const { scrollWidth, clientWidth } = main as unknown as { scrollWidth: number; clientWidth: number };
      return scrollWidth - clientWidth;
    });
    expect(beyond).toBe(0);
    expect(await person.allErrors()).toEqual([]);
  });
});
