import { randomUUID } from 'node:crypto';
import type { Group, Organization, ParameterType, User } from '@strata/contract';
import type { Reply, TestOrganization } from '@strata/testkit';
import { findBidiProblems } from './console-bidi-problems.ts';
import { setUpConsoleTests } from './console-journeys.ts';
import { applyChangesetTo } from './console-platform.ts';
import { placeholderName, storeName } from './stored-names.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

/** A bidirectional override, the end of an isolate, and right-to-left letters. */
const NAME = 'good\u202Egpj\u2069\u05d0\u05d1\u05d2';
const PART = encodeURIComponent(NAME);

/** Creates an organization with such a name, and one object of each kind with such a name. */
async function createNamed(): Promise<TestOrganization> {
  const organization = await core().organization();
  const { owner } = organization;
  const environment = await organization.environmentNamed('default');
  const placeholder = placeholderName();
  const described = { name: placeholder, description: NAME };
  const [text] = (await owner.get<{ results: ParameterType[] }>('types/?name=string')).body.results;
  await applyChangesetTo(organization, [
    { operation: 'types_create', body: { ...described, parent: text?.id } },
    { operation: 'projects_create', body: described },
    { operation: 'environments_create', body: { ...described, parent: environment.id } },
    {
      set: {
        project: placeholder,
        environment: placeholder,
        create_missing: true,
        values: { [placeholder]: 'a value' },
      },
    },
  ]);
  const group = await owner.post<Group>('groups/', { ...described, users: [] });
  await storeName(core().database.url, placeholder, NAME);
  const made: Reply[] = [group];
  made.push(
    await owner.post('serviceaccounts/', { name: NAME, description: NAME, role: 'VIEWER' }),
    await owner.post('webhooks/', {
      name: NAME,
      type: 'slack',
      event_types: ['project_created'],
      configuration: { token: `xoxb-${randomUUID()}`, channel: '#changes', username: NAME },
    }),
  );
  const [type] = (await owner.get<{ results: ParameterType[] }>(`types/?name=${PART}`)).body.results;
  made.push(await owner.post(`${type?.url}rules/`, { type: 'regex', constraint: '[\u05d0-\u05ea]+' }));
  const { url: scope } = await organization.environmentNamed(NAME);
  made.push(await owner.post(`${scope}tags/`, { name: 'v1', description: NAME }));
  const { url: principal } = (await owner.get<User>('users/current/')).body;
  made.push(await owner.post('grants/', { principal, scope, role: 'OWNER' }));
  made.push(await owner.post('grants/', { principal: group.body.url, scope, role: 'ADMIN' }));
  made.push(await owner.patch<Organization>(`organizations/${organization.id}/`, { name: NAME }));
  for (const answer of made) if (answer.status >= 300) throw new Error(answer.text);
  return organization;
}

describe(`names with bidirectional characters in the console${reason}`, () => {
  journey('reorder and hide no text of pages and forms', async () => {
    const organization = await createNamed();
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
    const found: Record<string, readonly string[]> = {};
    for (const [address, words] of Object.entries(pages)) {
      await page.goto(address);
      await page.getByText(words).first().waitFor();
      found[address] = await findBidiProblems(page);
    }

    expect(found).toEqual(Object.fromEntries(Object.keys(pages).map((address) => [address, []])));
    expect(await person.allErrors()).toEqual([]);
  });

  journey('reorder and hide no text of dialogs', async () => {
    const organization = await createNamed();
    const person = await signedIn(organization, '/access/groups', { role: 'OWNER' });
    const { page } = person;
    const main = page.getByRole('main');
    const verbs: Readonly<Record<string, readonly RegExp[]>> = {
      '/access': [/^Change role of/, /^Remove/],
      '/access/groups': [/^Members of/, /^Rename/, /^Delete/],
      '/access/service-accounts': [/^New key/, /^Change of/, /^Change role/, /^Delete/],
      '/access/grants': [/^Grant access/, /: admin$/],
      '/organization': [/^Delete organization/],
    };
    const found: Record<string, readonly string[]> = {};
    for (const [address, buttons] of Object.entries(verbs)) {
      for (const name of buttons) {
        await page.goto(address);
        await main.getByRole('button', { name }).first().click();
        await page.getByRole('dialog').waitFor();
        found[`${address} ${name}`] = await findBidiProblems(page);
      }
    }
    await page.goto('/webhooks');
    await main.getByRole('link', { name: 'gpj' }).click();
    await main.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('dialog').waitFor();
    found.webhook = await findBidiProblems(page);

    expect(found).toEqual(Object.fromEntries(Object.keys(found).map((place) => [place, []])));
    expect(await person.allErrors()).toEqual([]);
  });
});
