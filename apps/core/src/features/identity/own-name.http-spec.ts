import type { Page, RecordedChangeset, SignInMethods, User } from '@strata/contract';
import { type RunningCore, sharedCore } from '@strata/testkit';
import { createPerson } from '../../testing/people.ts';
import { query } from '../../testing/query.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const rename = { name: ' Ada Lovelace ' };

describe("changing one's own name", () => {
  it('applies to members and to later revisions in all organizations, and keeps the history', async () => {
    const [organization, otherOrganization] = [await core.organization(), await core.organization()];
    const ada = await createPerson(core, organization.id, 'CONTRIB');
    await query(
      core,
      `insert into membership (organization_id, id, person_id, role) values ($1, gen_random_uuid(), $2, 'VIEWER')`,
      [otherOrganization.id, ada.id],
    );
    const authors = async () => {
      const { body } = await organization.owner.get<Page<RecordedChangeset>>(`changesets/?actor=${ada.id}`);
      return body.results.map(({ actor_name: name }) => name);
    };
    await ada.client.post('projects/', { name: 'before' });

    const changeResponse = await ada.client.patch<User>('users/current/', rename);

    expect(changeResponse).toMatchObject({ status: 200, body: { id: ada.id, name: 'Ada Lovelace', role: 'CONTRIB' } });
    await ada.client.post('projects/', { name: 'after' });
    expect(await authors()).toEqual(['Ada Lovelace', 'CONTRIB person']);
    for (const { owner } of [organization, otherOrganization]) {
      expect((await owner.get<User>(`users/${ada.id}/`)).body.name).toBe('Ada Lovelace');
      const { body } = await owner.get<Page<object>>('audit/?action=change_name');
      expect(body.results).toMatchObject([{ object_name: 'Ada Lovelace', user: { id: ada.id } }]);
    }
  });

  it.each([[{}], [{ name: '' }], [{ name: 'x'.repeat(129) }], [{ name: null }]])('rejects %j', async (body) => {
    const ada = await createPerson(core, (await core.organization()).id, 'VIEWER');
    expect((await ada.client.patch('users/current/', body)).status).toBe(400);
    expect((await ada.client.get<User>('users/current/')).body.name).toBe('VIEWER person');
  });

  it('is not possible for a service account, or for another user', async () => {
    const organization = await core.organization();
    const ada = await createPerson(core, organization.id, 'VIEWER');
    expect((await organization.as('OWNER').patch('users/current/', rename)).status).toBe(403);
    expect((await organization.owner.patch(`users/${ada.id}/`, rename)).status).toBe(405);
    expect((await ada.client.get<User>('users/current/')).body.name).toBe('VIEWER person');
  });
});

describe('the ways to sign in', () => {
  it('are a password for a person who has one, and none for a service account', async () => {
    const organization = await core.organization();
    const ada = await createPerson(core, organization.id, 'VIEWER');
    const readMethods = async (client: typeof ada.client) =>
      (await client.get<SignInMethods>('users/current/sign-in/')).body;
    expect(await readMethods(ada.client)).toEqual({ has_password: true, providers: [] });
    expect(await readMethods(organization.as('OWNER'))).toEqual({ has_password: false, providers: [] });
  });
});
