import { randomUUID } from 'node:crypto';
import type { Page, Parameter } from '@strata/contract';
import { setUpConsoleTests } from './console-journeys.ts';
import { createPlatform } from './console-platform.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();
const platform = async () => createPlatform(await core().organization());

const [DEFAULT, PRODUCTION, STAGING] = [0, 2, 3];

describe(`the explanation of a cell${reason}`, () => {
  journey(
    'shows the resolution order, the value that applies, the overridden values and the dependents beside the cell',
    async () => {
      const { organization } = await platform();
      const person = await signedIn(organization, '/projects/web');
      const { page } = person;
      await person.cell('GREETING', PRODUCTION).click();
      await page.keyboard.press('Space');
      const panel = page.getByRole('complementary');
      await panel.getByRole('heading', { name: 'Resolution order' }).waitFor();

      const places = await panel.locator('ol').first().getByRole('listitem').allTextContents();
      expect(places[0]).toMatch(/^production.*good day applies$/);
      expect(places.map((text) => /^(production|default)/.exec(text)?.[0])).toEqual([
        ...['production', 'production', 'default', 'default'],
      ]);
      expect(places[2]).toMatch(/hello.*overridden by a closer environment/);
      await panel.getByText('If removed: hello from default.').waitFor();
      await panel.getByRole('heading', { name: 'Used by' }).waitFor();
      await panel.getByRole('link', { name: 'LINK' }).waitFor();
      await panel.getByRole('heading', { name: 'History' }).waitFor();
      // The panel does not cover the cell.
      const [cell, side] = [await person.cell('GREETING', PRODUCTION).boundingBox(), await panel.boundingBox()];
      expect((cell?.x ?? 0) + (cell?.width ?? 0)).toBeLessThanOrEqual(side?.x ?? 0);

      await page.keyboard.press('ArrowRight');
      await panel.getByText('Without it: not set.').waitFor();
      await panel.getByRole('button', { name: /^Edit in / }).click();
      await page.keyboard.type('welcome');
      await page.keyboard.press('Enter');
      expect((await person.announced('GREETING'))[DEFAULT]).toBe('welcome, draft (was hello, set here)');
      await person.cell('GREETING', DEFAULT).click();
      await panel.getByText('Draft: welcome (was hello, set here)').waitFor();
      await person.cell('GREETING', STAGING).click();
      await panel.getByText('Will inherit from the draft in default: welcome (was hello, inherited)').waitFor();
      await page.getByText('GREETING in staging · Will inherit from the draft in default: welcome').waitFor();
      expect(await person.allErrors()).toEqual([]);
    },
  );

  journey('opens for a cell whose row is not loaded yet', async () => {
    const organization = await core().organization();
    await organization.project({ name: 'large' });
    const name = (at: number) => `P${String(at).padStart(3, '0')}`;
    const values = Object.fromEntries(Array.from({ length: 400 }, (_, at) => [name(at), 'x']));
    const set = { project: 'large', environment: 'default', create_missing: true, values };
    await organization.owner.post('changesets/', { operations: [{ set }] });
    const person = await signedIn(organization, '/projects/large');
    const { page } = person;
    await person.cell(name(0), DEFAULT).click();
    // Rows that scroll past are not loaded, so the console does not know the name of the last one yet.
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Space');
    await page.waitForURL(/[?&]cell=P399(&|$)/);

    await page.getByRole('complementary').getByRole('heading', { name: 'Resolution order' }).waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('names the parameters that a template uses, and links to where an inherited value is set', async () => {
    const { organization, secret } = await platform();
    const person = await signedIn(organization, '/projects/web?cell=LINK&in=production');
    const panel = person.page.getByRole('complementary');
    await panel.getByText('template http://{{ GREETING }}').waitFor();
    await panel.getByText('good day from production').waitFor();

    await person.page.goto('/projects/web?cell=REGION&in=staging');
    await panel.getByRole('button', { name: 'Override here' }).waitFor();
    await panel.getByRole('link', { name: /^Edit in / }).click();
    await person.page.waitForURL('**/projects/base?**');
    expect(new URL(person.page.url()).search).toBe('?cell=REGION&in=default');
    expect(await person.everythingReadable()).not.toContain(secret);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('reveals a secret on a click with one request, and hides it when the focus moves', async () => {
    const { organization, secret } = await platform();
    const person = await signedIn(organization, '/projects/web?cell=TOKEN&in=staging');
    const { page } = person;
    await page.clock.install();
    const panel = page.getByRole('complementary');
    const reveal = panel.getByRole('button', { name: 'Reveal secret' });
    await reveal.waitFor();
    const operations = person.recordOperations();

    await reveal.click();
    await panel.getByText(secret).waitFor();
    expect(operations.filter((name) => name === 'RevealValue')).toHaveLength(1);
    await page.getByLabel('Filter by name or value').focus();
    await panel.getByText(secret).waitFor({ state: 'detached' });

    await person.cell('TOKEN', STAGING).click({ position: { x: 4, y: 4 } });
    await person.cell('TOKEN', STAGING).getByRole('button').click();
    await person.cell('TOKEN', STAGING).getByText(secret).waitFor();
    await page.clock.fastForward(31_000);
    await person.cell('TOKEN', STAGING).getByText(secret).waitFor({ state: 'detached' });
    expect(await person.everythingReadable()).not.toContain(secret);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('never shows a secret in another cell, nor one whose response arrives after the focus moved', async () => {
    const { organization, secret, web } = await platform();
    const otherSecret = await organization.parameter({ project: web, name: 'TOKEN_TWO', secret: true });
    const second = `second-${randomUUID()}`;
    await organization.value({ parameter: otherSecret, internal_value: second });
    const person = await signedIn(organization, '/projects/web?state=secret');
    const { page } = person;
    await person.cell('TOKEN', 0).click();
    await person.cell('TOKEN', 0).getByRole('button').click();
    await person.cell('TOKEN', 0).getByText(secret).waitFor();
    const { body } = await organization.owner.get<Page<Parameter>>(`${web.url}parameters/?name=TOKEN`);
    await organization.owner.delete(body.results[0]?.url ?? '');
    await person.row('TOKEN').waitFor({ state: 'detached' });
    expect(await page.getByText(secret).count()).toBe(0);

    // Delays the response.
    let letGo = () => {};
    await page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('RevealValue')) return route.continue();
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
      await route.continue().catch(() => undefined);
    });
    await person.cell('TOKEN_TWO', 0).click();
    await person.cell('TOKEN_TWO', 0).getByRole('button').click();
    await person.cell('TOKEN_TWO', 0).locator('[aria-busy="true"]').waitFor();
    await page.getByLabel('Filter by name or value').focus();
    letGo();
    await person.cell('TOKEN_TWO', 0).locator('[aria-busy="true"]').waitFor({ state: 'detached' });
    await page.waitForLoadState('networkidle');
    expect(await page.getByText(second).count()).toBe(0);
    expect(await person.everythingReadable()).not.toContain(second);
  });

  journey(
    'stays closed when a secret cell is double-clicked, which opens the editor without revealing the secret',
    async () => {
      const { organization } = await platform();
      const person = await signedIn(organization, '/projects/web');
      const operations = person.recordOperations();
      await person.cell('TOKEN', STAGING).dblclick();
      await person.cell('TOKEN', STAGING).getByRole('textbox').waitFor();
      expect(operations.filter((name) => name === 'RevealValue')).toEqual([]);
    },
  );

  journey('shows earlier and later values, and links to the full history', async () => {
    const { organization } = await platform();
    const person = await signedIn(organization, '/projects/web?cell=GREETING&in=production');
    const panel = person.page.getByRole('complementary');
    await panel.getByText('good day').first().waitFor();
    await panel.getByText('not set').first().waitFor();
    await panel.getByRole('link', { name: 'Full history' }).click();
    await person.page.waitForURL(/\/projects\/web\/history\/GREETING/);
    expect(await person.allErrors()).toEqual([]);
  });
});
