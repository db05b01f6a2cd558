import type { Grant, Page, User } from '@strata/contract';
import { setUpConsoleTests } from './console-journeys.ts';
import { createOneOfEach } from './console-one-of-each.ts';
import { waitForContent } from './console-routes.ts';

const { journey, reason, core, signedIn } = await setUpConsoleTests();

const CONTRIBUTOR = 'Contributor or a higher role';
const ADMIN = 'Admin or a higher role';
const HISTORY = ['read the history but not revert changes', CONTRIBUTOR] as const;
const PROJECT = ['read this project but not change it', CONTRIBUTOR] as const;
const PROJECTS = ['read projects but not create them', CONTRIBUTOR] as const;
const TYPES = ['read types but not change them', CONTRIBUTOR] as const;
const VALUES = ['read values but not change them', CONTRIBUTOR] as const;
const WEBHOOKS = ['read webhooks but not change them', ADMIN] as const;
const DESTINATIONS = ['read destinations but not change them', ADMIN] as const;
const INTEGRATIONS = ['read integrations but not change them', ADMIN] as const;
const ROTATIONS = ['read rotations but not change or run them', CONTRIBUTOR] as const;

/** The reason of each page: what its readers can do, and the role that changes require; null if the page changes nothing. */
const REASONS: Readonly<Record<string, readonly [otherwise: string, role: string] | null>> = {
  '/': PROJECTS,
  '/$': null,
  '/access': ['see the members but not change them', ADMIN],
  '/access/audit': null,
  '/access/explain': null,
  '/access/grants': ['read grants but not change them', ADMIN],
  '/access/groups': ['read groups but not change them', ADMIN],
  '/access/requests': null,
  '/access/service-accounts': ['read service accounts but not change them', CONTRIBUTOR],
  '/access/unused': null,
  '/account': null,
  '/compare': VALUES,
  '/environments': ['read environments but not change them', CONTRIBUTOR],
  '/environments/$environment': ['read this environment but not change it', CONTRIBUTOR],
  '/history': HISTORY,
  '/history/$revision': HISTORY,
  '/history/$revision/revert': HISTORY,
  '/history/compare': VALUES,
  '/history/environments/$environment': HISTORY,
  '/history/return': HISTORY,
  '/import': ['read projects but not import snapshots', CONTRIBUTOR],
  '/organization': ['read these settings but not change them', 'Owner'],
  '/projects': PROJECTS,
  '/projects/$name': PROJECT,
  '/projects/$name/connect': ['read how programs connect but not create keys', CONTRIBUTOR],
  '/projects/$name/export': null,
  '/projects/$name/history/$parameter': HISTORY,
  '/projects/$name/import': ['read this project but not import into it', CONTRIBUTOR],
  '/projects/$name/instances': null,
  '/projects/$name/lint': PROJECT,
  '/projects/$name/parameters/$parameter': PROJECT,
  '/projects/$name/parameters/$parameter/rules': PROJECT,
  '/projects/$name/settings': ['read these settings but not change them', CONTRIBUTOR],
  '/projects/$name/templates': PROJECT,
  '/projects/$name/templates/$template': PROJECT,
  '/projects/$name/templates/$template/history': PROJECT,
  '/review': VALUES,
  '/search': null,
  '/start': PROJECTS,
  '/types': TYPES,
  '/types/$type': TYPES,
  '/destinations/$destination': DESTINATIONS,
  '/destinations/$destination/change': DESTINATIONS,
  '/destinations/new': DESTINATIONS,
  '/integrations': INTEGRATIONS,
  '/integrations/$provider/$integration': INTEGRATIONS,
  '/integrations/$provider/$integration/change': INTEGRATIONS,
  '/integrations/$provider/$integration/pulls/$pull': INTEGRATIONS,
  '/integrations/$provider/$integration/pushes/$push': INTEGRATIONS,
  '/integrations/$provider/$integration/pushes/$push/change': INTEGRATIONS,
  '/integrations/$provider/$integration/pushes/new': INTEGRATIONS,
  '/integrations/new': INTEGRATIONS,
  '/rotations': ROTATIONS,
  '/rotations/$rotation/change': ROTATIONS,
  '/rotations/new': ROTATIONS,
  '/webhooks': WEBHOOKS,
  '/webhooks/$webhook': WEBHOOKS,
  '/webhooks/$webhook/change': WEBHOOKS,
  '/webhooks/new': WEBHOOKS,
};

describe(`a read-only page of the console${reason}`, () => {
  journey.each([
    ['VIEWER', 'Viewer', [CONTRIBUTOR, ADMIN, 'Owner']],
    ['CONTRIB', 'Contributor', [ADMIN, 'Owner']],
  ])('says why in the same place on every page: %s', async (role, word, lacking) => {
    const { organization, addresses } = await createOneOfEach(core());
    const person = await signedIn(organization, '/account', { role });
    const { page } = person;
    const note = page.getByRole('region', { name: 'Read-only' });
    const notes: Record<string, readonly string[]> = {};
    const tops = new Set<number | undefined>();
    for (const [path, address] of addresses) {
      await person.open(address);
      await waitForContent(page);
      notes[path] = await note.allTextContents();
      if (notes[path].length > 0) tops.add((await note.boundingBox())?.x);
    }
    const expected = Object.fromEntries(
      Object.entries(REASONS).map(([path, reason]) => {
        if (reason === null || !lacking.includes(reason[1])) return [path, []];
        return [path, [` You can ${reason[0]}. Your role is ${word}. Changes require ${reason[1]}.`]];
      }),
    );

    expect(notes).toEqual(expected);
    expect(tops.size).toBe(1);
    expect(await person.allErrors()).toEqual([]);
  });

  journey('is accessible, and says once during time travel that it is the past', async () => {
    const { organization } = await createOneOfEach(core());
    const person = await signedIn(organization, '/projects/web/lint', { role: 'VIEWER' });
    const { page } = person;
    const note = page.getByRole('region', { name: 'Read-only' });
    await note.waitFor();
    expect(await person.violationsInEveryLook()).toEqual([]);
    await page.goto('/projects/web/lint?at=r2');
    await page.getByText('You are viewing the state as of revision 2 (read-only)').waitFor();
    expect(await note.count()).toBe(0);
    await page.getByRole('link', { name: 'Access', exact: true }).click();
    await page.getByText('This page always shows the current state. On other pages, you').waitFor();
    expect(await person.allErrors()).toEqual([]);
  });

  journey('says nothing to a contributor, until a restriction takes the access to change it', async () => {
    const { organization, web } = await createOneOfEach(core());
    const person = await signedIn(organization, '/projects/web/templates');
    const { page } = person;
    const note = page.getByRole('region', { name: 'Read-only' });
    await page.getByText('at revision').waitFor();
    expect(await note.count()).toBe(0);
    const { body } = await organization.owner.get<Page<User>>('users/?type=interactive');
    const ada = body.results.find(({ name }) => name === 'Ada');
    await organization.owner.patch(web.url, { access_controlled: true });
    await organization.owner.post<Grant>('grants/', { principal: ada?.url, scope: web.url, role: 'VIEWER' });
    await note
      .filter({ hasText: 'Access to this project is restricted, and you have no grant to change it.' })
      .waitFor();
    expect(await person.allErrors()).toEqual([]);
  });
});
