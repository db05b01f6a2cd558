import { setUpConsoleTests } from './console-journeys.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

/** Creates `web` with a template that contains its port, which differs in production. */
async function createTemplate() {
  const organization = await core().organization();
  const project = await organization.project({ name: 'web' });
  const port = await organization.parameter({ project, name: 'PORT' });
  await organization.value({ parameter: port, internal_value: '80' });
  const production = await organization.environmentNamed('production');
  await organization.value({ parameter: port, environment: production, internal_value: '443' });
  await organization.owner.post(`${project.url}templates/`, { name: 'app.conf', body: 'listen {{ PORT }};' });
  return { organization, production };
}

describe(`the preview of a template in the console${reason}`, () => {
  journey('offers the existing environments if its environment does not exist', async () => {
    const { organization } = await createTemplate();
    const address = '/projects/web/templates/app.conf?env=prodction&beside=nowhere';
    const person = await signedIn(organization, address);
    const { page } = person;
    await page.getByRole('alert').filter({ hasText: 'There is no environment named prodction here.' }).waitFor();
    await page.getByRole('alert').filter({ hasText: 'There is no environment named nowhere here.' }).waitFor();
    expect(await page.getByText('listen 80;').count()).toBe(0);
    expect(await person.violationsInEveryLook()).toEqual([]);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('combobox', { name: /^Preview in/ }).selectOption('production');
    await page.getByText('listen 443;').waitFor();

    expect(new URL(page.url()).search).toBe('?env=production');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('follows a rename of its environment, and so does the URL', async () => {
    const { organization, production } = await createTemplate();
    const person = await signedIn(organization, '/projects/web/templates/app.conf?env=production');
    const { page } = person;
    await page.getByText('listen 443;').waitFor();
    await person.live();
    await organization.owner.patch(production.url, { name: 'live' });
    await page.waitForURL(/\?env=live$/);

    await page.getByRole('region', { name: 'Preview in live' }).getByText('listen 443;').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });
});
