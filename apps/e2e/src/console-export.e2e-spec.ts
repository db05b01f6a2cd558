import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AppliedChangeset } from '@strata/contract';
import { type ConsolePerson } from './console-browser.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { blurWindow, untilRevealed } from './console-reveals.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const CANARY = `canary-${randomUUID()}`;

async function createProject() {
  const organization = await core().organization();
  const project = await organization.project({ name: 'web' });
  const { body } = await organization.owner.post<AppliedChangeset>('changesets/', {
    operations: [
      {
        set: {
          project: 'web',
          environment: 'default',
          create_missing: true,
          values: { HOST: 'old.example', TOKEN: { value: CANARY, secret: true }, 'not a variable': 'x' },
        },
      },
      { set: { project: 'web', environment: 'production', values: { HOST: 'web.example' } } },
    ],
  });
  await organization.owner.post(`${project.url}templates/`, { name: 'app.conf', body: 'host = {{ HOST }}\n' });
  return { organization, url: project.url, revision: body.revision };
}

const locateFile = ({ page }: ConsolePerson) => page.getByRole('region', { name: 'File', exact: true }).locator('pre');

async function downloaded({ page }: ConsolePerson, button: string) {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
}

describe(`the export in the console${reason}`, () => {
  journey('shows each format without secrets, and keeps the format in the URL', async () => {
    const { organization, url } = await createProject();
    const person = await signedIn(organization, '/projects/web/export');
    const { page } = person;
    await page.getByRole('combobox', { name: 'Environment' }).selectOption('production');
    await page.getByText("HOST='web.example'").waitFor();
    expect(await locateFile(person).textContent()).toBe("HOST='web.example'\nTOKEN='*****'\n");
    await page.getByText('Skipped (not valid variable names): not a variable').waitFor();

    await page.getByLabel('Format').selectOption('docker (--env-file)');
    await page.getByText('HOST=web.example').waitFor();
    await page.getByLabel('Format').selectOption('shell (export NAME=…)');
    await page.getByText('export HOST=web.example').waitFor();
    await page.getByLabel('Format').selectOption('JSON');
    await page.getByText('"not a variable": "x"').waitFor();
    expect(JSON.parse((await locateFile(person).textContent()) ?? '')).toMatchObject({ TOKEN: '*****' });
    await page.getByLabel('Format').selectOption('template app.conf');
    await page.getByText('host = web.example').waitFor();
    expect(new URL(page.url()).search).toBe('?env=production&format=template:app.conf');
    await page.reload();
    await page.getByText('host = web.example').waitFor();

    expect(await downloaded(person, 'Download')).toEqual({ name: 'app.conf', text: 'host = web.example\n' });
    await organization.owner.get(`${url}effective/`);
    expect(await untilRevealed(organization, 'Owner')).not.toContain('Ada');
    expect(await person.everythingReadable()).not.toContain(CANARY);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('skips values that the readers of a format would misread, and names an unknown environment', async () => {
    const { organization } = await createProject();
    await organization.owner.post('changesets/', {
      operations: [
        {
          set: {
            project: 'web',
            environment: 'staging',
            create_missing: true,
            values: { HOST: 'a\nb', FOLDER: 'C:\\tools\\', port: '1', Port: '2', TOKEN: `it's "${CANARY}"` },
          },
        },
      ],
    });
    const person = await signedIn(organization, '/projects/web/export?env=stagin&format=docker');
    const { page } = person;
    await page.getByText('There is no environment named stagin here').waitFor();
    expect(await page.locator('pre').count()).toBe(0);
    await page.getByRole('combobox', { name: 'Environment' }).selectOption('staging');
    await page.getByText('Skipped (docker cannot read line breaks): HOST. The').waitFor();
    await page
      .getByText('Skipped (their names differ only in case, and variables are written in capitals): Port, port. JSON')
      .waitFor();
    expect(await locateFile(person).textContent()).toBe('FOLDER=C:\\tools\\\nTOKEN=*****\n');

    await page.getByLabel('Format').selectOption('dotenv (.env)');
    const misread = 'Skipped (programs disagree on how to read these values): ';
    await page.getByText(`${misread}FOLDER. The`).waitFor();
    expect(await locateFile(person).textContent()).toBe("HOST='a\nb'\nTOKEN='*****'\n");
    expect(await downloaded(person, 'Download with secrets')).toMatchObject({ text: "HOST='a\nb'\n" });
    await page.getByRole('region', { name: 'With secrets' }).getByText(`${misread}FOLDER, TOKEN. The`).waitFor();
    expect(await person.everythingReadable()).not.toContain(CANARY);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('explains why there is nothing to export: no value, no valid variable name, or an empty text', async () => {
    const { organization, url } = await createProject();
    await organization.project({ name: 'empty' });
    const project = await organization.project({ name: 'words' });
    const parameter = await organization.parameter({ project, name: 'two words' });
    await organization.value({ parameter, internal_value: 'x' });
    await organization.owner.post(`${url}templates/`, { name: 'quiet', body: '' });
    const person = await signedIn(organization, '/projects/empty/export');
    const { page } = person;
    await page.getByText('No parameter has a value in default, so there is nothing to export.').waitFor();
    await person.open('/projects/words/export');
    await page.getByText('Skipped (not valid variable names): two words. JSON includes them.').waitFor();
    await page.getByLabel('Format').selectOption('JSON');
    await page.getByText('"two words": "x"').waitFor();
    await person.open('/projects/web/export?format=template:quiet');
    await page.getByText('The template is empty in default').waitFor();

    expect(await person.allErrors()).toEqual([]);
  });

  journey(
    'shows, copies and downloads secrets on request, with an audit record each time, and hides them again',
    async () => {
      const { organization } = await createProject();
      const person = await signedIn(organization, '/projects/web/export?env=production');
      const { page } = person;
      const expected = `HOST='web.example'\nTOKEN='${CANARY}'\n`;
      expect(await downloaded(person, 'Download masked')).toMatchObject({
        name: 'web.production.env',
        text: "HOST='web.example'\nTOKEN='*****'\n",
      });

      expect(await downloaded(person, 'Download with secrets')).toEqual({ name: 'web.production.env', text: expected });
      expect(await person.everythingReadable()).not.toContain(CANARY);
      await page.getByRole('button', { name: 'Show for 30 seconds' }).click();
      const shownFile = page.getByLabel('File with secrets');
      expect(await shownFile.textContent()).toBe(expected);
      await page.getByRole('button', { name: 'Hide' }).click();
      await shownFile.waitFor({ state: 'detached' });

      await page.getByRole('button', { name: 'Show for 30 seconds' }).click();
      await shownFile.waitFor();
      await blurWindow(person);
      await shownFile.waitFor({ state: 'detached' });
      expect(await person.everythingReadable()).not.toContain(CANARY);
      expect(await untilRevealed(organization, 'Ada')).toContain('Ada');
      expect(await person.allErrors()).toEqual([]);
    },
  );

  journey('shows the point in time of the page, and changes of other users at once', async () => {
    const { organization, revision } = await createProject();
    await organization.owner.post('changesets/', {
      operations: [{ set: { project: 'web', environment: 'production', values: { HOST: 'second.example' } } }],
    });
    const person = await signedIn(organization, `/projects/web/export?env=production&at=r${revision}`);
    await person.page.getByText("HOST='web.example'").waitFor();
    await person.page.getByRole('button', { name: 'Back to now' }).click();
    await person.page.getByText("HOST='second.example'").waitFor();
    await organization.owner.post('changesets/', {
      operations: [{ set: { project: 'web', environment: 'production', values: { HOST: 'third.example' } } }],
    });
    await person.page.getByText("HOST='third.example'").waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('can be copied as an API request with a variable in place of the credential', async () => {
    const { organization } = await createProject();
    const person = await signedIn(organization, '/projects/web/export?env=production', { role: 'VIEWER' });
    await person.page.getByRole('button', { name: 'Copy as …' }).click();
    const request = await person.page.getByRole('region', { name: 'curl' }).locator('pre').textContent();
    expect(request).toMatch(
      /^curl -fsS -H "Authorization: Api-Key \$KEY" "\$API\/projects\/[0-9a-f-]+\/parameter-export\/\?output=dotenv&environment=production"$/,
    );
    expect(await person.accessibilityViolations()).toEqual([]);
    expect(await person.everythingReadable()).not.toContain(CANARY);
  });

  journey('is accessible and fits the screen in every theme and screen size', async () => {
    const { organization } = await createProject();
    const person = await signedIn(organization, '/projects/web/export');
    await person.page.getByRole('heading', { name: 'With secrets' }).waitFor();

    expect(await person.violationsInEveryLook()).toEqual([]);
    expect(await person.allErrors()).toEqual([]);
  });
});
