import { findBidiProblems } from './console-bidi-problems.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { createNamedObjects } from './console-named-objects.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

/** A bidirectional override, the end of an isolate, and right-to-left letters. */
const NAME = 'good\u202Egpj\u2069\u05d0\u05d1\u05d2';
const PART = encodeURIComponent(NAME);

describe(`names with bidirectional characters in the console${reason}`, () => {
  journey('reorder and hide no text of pages and forms', async () => {
    const organization = await createNamedObjects(core(), NAME);
    const person = await signedIn(organization, '/types', { role: 'OWNER' });
    const { page } = person;
    const parameter = `/projects/${PART}/parameters/${PART}`;
    /** The paths of the pages, with a text that each page contains once it is complete. */
    const pages: Readonly<Record<string, string>> = {
      '/types': 'Base',
      [`/types/${PART}`]: 'No parameter has this type.',
      [`/types/${PART}?do=edit`]: 'Preview changes',
      [`/types/${PART}?do=delete`]: 'No effective values change',
      [`/projects/${PART}/settings?do=edit`]: 'Preview changes',
      [`/projects/${PART}/settings?do=pattern`]: 'Parameter name pattern',
      [`/projects/${PART}/settings?do=access`]: 'have access to it',
      [`/projects/${PART}/settings?do=delete`]: 'effective value',
      [`/projects/${PART}/lint`]: 'Lint',
      [`/projects/${PART}/import`]: 'dotenv, JSON or YAML',
      [`${parameter}?do=change`]: 'Preview changes',
      [`${parameter}?do=delete`]: 'effective value',
      [`/environments/${PART}?do=edit`]: 'need the new name',
      [`/environments/${PART}?do=tag`]: 'A tag names a point in time. Programs',
      [`/environments/${PART}?do=copy`]: 'The copy is a sibling of',
      [`/environments/${PART}?do=access`]: 'All grants on',
      [`/environments/${PART}?do=delete`]: 'effective value',
      [`/types/${PART}x`]: 'There is no type named',
      [`/projects/${PART}/templates/${PART}`]: 'has no template named',
      '/access/groups': 'Description',
      '/access/service-accounts': 'Last used',
      '/access/grants': 'Restrict access, or remove',
      '/webhooks': 'Each webhook reports',
      '/organization': 'Project names',
      '/account': 'E-mail address',
    };
    const overflowing: Record<string, readonly string[]> = {};
    for (const [address, expectedText] of Object.entries(pages)) {
      await person.open(address);
      await page.getByText(expectedText).first().waitFor();
      overflowing[address] = await findBidiProblems(page);
    }

    expect(overflowing).toEqual(Object.fromEntries(Object.keys(pages).map((address) => [address, []])));
    expect(await person.allErrors()).toEqual([]);
  });

  journey('reorder and hide no text of dialogs', async () => {
    const organization = await createNamedObjects(core(), NAME);
    const person = await signedIn(organization, '/access/groups', { role: 'OWNER' });
    const { page } = person;
    const main = page.getByRole('main');
    const verbs: Readonly<Record<string, readonly RegExp[]>> = {
      '/access': [/^Change role of/, /^Remove/],
      '/access/groups': [/^Members of/, /^Rename/, /^Delete/],
      '/access/service-accounts': [/^Create key/, /^Change of/, /^Change role/, /^Delete/],
      '/access/grants': [/^Grant access/, /: admin$/],
      '/organization': [/^Delete organization/],
    };
    const overflowing: Record<string, readonly string[]> = {};
    for (const [address, buttons] of Object.entries(verbs)) {
      for (const name of buttons) {
        await page.goto(address);
        await main.getByRole('button', { name }).first().click();
        await page.getByRole('dialog').waitFor();
        overflowing[`${address} ${name}`] = await findBidiProblems(page);
      }
    }
    await page.goto('/webhooks');
    await main.getByRole('link', { name: 'gpj' }).click();
    await main.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    overflowing.webhook = await findBidiProblems(page);

    expect(overflowing).toEqual(Object.fromEntries(Object.keys(overflowing).map((place) => [place, []])));
    expect(await person.allErrors()).toEqual([]);
  });
});
