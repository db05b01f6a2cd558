import type { Group, ImportResponse, Page, Parameter, Template } from '@strata/contract';
import type { Reply, TestOrganization } from '@strata/testkit';
import pg from 'pg';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';
import { applyChanges, revertChanges, set } from '../../testing/reverts.ts';
import { statusAndCode } from '../../testing/types.ts';

let core: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
});
afterAll(() => core.close());

const LIGATURE = 'ﬁle';
const LOOKS_TAKEN = '400 look_alike_name';
const INVISIBLE = '400 invisible_character';

/** Stores a name that the API rejects, as an earlier release could have done. */
async function storeName(table: string, { id }: { readonly id: string }, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: core.database.url });
  await client.connect();
  try {
    await client.query('set session_replication_role = replica');
    await client.query(`update ${table} set name = $2 where id = $1`, [id, name]);
  } finally {
    await client.end();
  }
}

/** Returns functions that create an object of each kind with a given name. */
async function makers(organization: TestOrganization) {
  const { owner } = organization;
  const project = await organization.project({ name: 'shop' });
  const root = (await organization.environmentNamed('default')).url;
  const { body: type } = await owner.get<Page<{ url: string }>>('types/?name=string');
  return {
    environment: (name: string) => owner.post('environments/', { name, parent: root }),
    group: (name: string) => owner.post<Group>('groups/', { name, users: [] }),
    parameter: (name: string) => owner.post<Parameter>(`${project.url}parameters/`, { name }),
    project: (name: string) => owner.post('projects/', { name }),
    template: (name: string) => owner.post<Template>(`${project.url}templates/`, { name, body: '' }),
    type: (name: string) => owner.post('types/', { name, parent: type.results[0]?.url }),
  } satisfies Record<string, (name: string) => Promise<Reply>>;
}

const NOUNS = ['environment', 'group', 'parameter', 'project', 'template', 'type'] as const;

describe('a new name', () => {
  it.each(NOUNS)(
    'of a %s that looks like another one is rejected, and the error contains the other one',
    async (noun) => {
      const make = (await makers(await core.organization()))[noun];
      expect((await make('file')).status).toBe(201);

      const response = await make(LIGATURE);

      expect(statusAndCode(response)).toBe(LOOKS_TAKEN);
      expect(response.body).toEqual({
        name: [expect.stringContaining(`named file already, which looks the same as ${LIGATURE}`)],
      });
      expect(statusAndCode(await make('ＦＩＬＥ'))).toBe('201 undefined');
      expect(statusAndCode(await make('FILE'))).toBe(LOOKS_TAKEN);
    },
  );

  it.each(NOUNS)(
    'of a %s cannot contain invisible characters, or characters that change the direction of text',
    async (noun) => {
      const make = (await makers(await core.organization()))[noun];

      const response = await make('a\u200bb');

      expect(statusAndCode(response)).toBe(INVISIBLE);
      expect(response.body).toEqual({ name: [expect.stringContaining('U+200B')] });
      expect(statusAndCode(await make('a\u202eb'))).toBe(INVISIBLE);
    },
  );

  it.each(NOUNS)('of a %s may be similar to another one if both are ASCII, and may use any script', async (noun) => {
    const make = (await makers(await core.organization()))[noun];
    for (const name of [
      'HOST1',
      'HOSTl',
      'HOSTI',
      'form',
      'forrn',
      'O0',
      'OO',
      'größe',
      'ポート',
      'порт',
      'پورت',
      '❤️',
    ]) {
      expect([name, (await make(name)).status]).toEqual([name, 201]);
    }
  });

  it('may look like one in another project, of another kind, or in another organization', async () => {
    const [organization, otherOrganization] = [await core.organization(), await core.organization()];
    const [shop, desk] = [await organization.project({ name: 'file' }), await organization.project({ name: 'desk' })];
    await organization.parameter({ project: shop, name: 'file' });

    for (const response of [
      await organization.owner.post(`${desk.url}parameters/`, { name: LIGATURE }),
      await organization.owner.post(`${shop.url}templates/`, { name: LIGATURE, body: '' }),
      await organization.owner.post('environments/', { name: LIGATURE }),
      await otherOrganization.owner.post('projects/', { name: LIGATURE }),
    ]) {
      expect(response.status).toBe(201);
    }
  });

  it("is rejected when an object is renamed, except that it may look like the object's old name", async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'shop' });
    await organization.parameter({ project, name: 'file' });
    const special = await organization.parameter({ project, name: 'größe' });

    expect(statusAndCode(await organization.owner.patch(special.url, { name: LIGATURE }))).toBe(LOOKS_TAKEN);
    expect(statusAndCode(await organization.owner.patch(special.url, { name: 'gr\u200böße' }))).toBe(INVISIBLE);
    const renamed = await organization.owner.patch(special.url, { name: 'größe'.normalize('NFD') });
    expect(statusAndCode(renamed)).toBe('200 undefined');
  });

  it('is accepted for only one of two similar objects that are created in parallel', async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'shop' });
    const names = ['file', LIGATURE, 'fi\u04cfe', 'fıle'.replace('ı', 'і')];

    const responses = await Promise.all(
      names.map((name) => organization.owner.post(`${project.url}parameters/`, { name })),
    );

    expect(responses.map(statusAndCode).sort()).toEqual(['201 undefined', LOOKS_TAKEN, LOOKS_TAKEN, LOOKS_TAKEN]);
  });
});

describe('many new names in one request', () => {
  it('are compared with existing names and with each other, on every route', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project({ name: 'shop' });
    const parameter = await organization.parameter({ project, name: 'file' });
    const importBody = (body: string, more: object = {}) =>
      owner.post('import/', { project: 'shop', environment: 'default', secrets: [], ignore: [], body, ...more });

    const ways = [
      await importBody(`${LIGATURE}=1`),
      await importBody(`größe=1\n${'größe'.normalize('NFD')}=2`),
      await owner.post('import/?preview=true', {
        project: 'shop',
        environment: 'default',
        secrets: [],
        ignore: [],
        body: `${LIGATURE}=1`,
      }),
      await owner.post(`${parameter.url}copy/`, { name: LIGATURE, project: project.url }),
    ];
    expect(ways.map(statusAndCode)).toEqual([LOOKS_TAKEN, LOOKS_TAKEN, LOOKS_TAKEN, LOOKS_TAKEN]);
    expect((await importBody('A=1', { project: 'ѕhop', add_project: true })).body).toEqual({
      project: [expect.any(String)],
    });
    expect((await importBody('A=1', { environment: 'ѕtaging', add_environment: true })).body).toEqual({
      environment: [expect.any(String)],
    });
    for (const operation of [
      { operation: 'projects_parameters_create', path: { project_pk: project.id }, body: { name: LIGATURE } },
      set('shop', { [LIGATURE]: '1' }),
    ]) {
      const changeset = await owner.post('changesets/', { operations: [operation] });
      expect(changeset.status).toBe(400);
      expect(changeset.text).toContain('look_alike_name');
    }
  });

  it('of copies are rejected with the field that contains them', async () => {
    const organization = await core.organization();
    const project = await organization.project({ name: 'shop' });
    const staging = await organization.environmentNamed('staging');

    const copies = [
      await organization.owner.post(`${project.url}copy/`, { name: 'ѕhop' }),
      await organization.owner.post(`${staging.url}copy/`, { name: 'ѕtaging' }),
      await organization.owner.post(`${staging.url}copy/`, { name: 'x\u202ey' }),
    ];

    expect(copies.map(statusAndCode)).toEqual([LOOKS_TAKEN, LOOKS_TAKEN, INVISIBLE]);
  });
});

describe('a stored name', () => {
  it('can be used whatever it is: searched, written, imported, PUT, and renamed', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project({ name: 'shop' });
    await organization.parameter({ project, name: 'ab' });
    const parameter = await organization.parameter({ project, name: 'x' });
    await storeName('parameter', parameter, 'a\u200bb');
    const name = 'a\u200bb';

    const page = await owner.get<Page<Parameter>>(`${project.url}parameters/?name=${encodeURIComponent(name)}`);
    expect(page.body.results).toMatchObject([{ id: parameter.id, name }]);
    expect((await owner.patch(parameter.url, { description: 'new' })).status).toBe(200);
    expect((await owner.put(parameter.url, { name, description: 'newer' })).status).toBe(200);
    const imported = await owner.post<ImportResponse>('import/', {
      project: 'shop',
      environment: 'default',
      secrets: [],
      ignore: [],
      body: `${name}=1`,
    });
    expect([imported.status, imported.body]).toMatchObject([201, { parameter: [{ parameter_id: parameter.id }] }]);
    expect((await owner.post(`${project.url}copy/`, { name: 'desk' })).status).toBe(201);
    const lookAlike = await owner.post(`${project.url}parameters/`, { name: 'аb' });
    expect(lookAlike.body).toEqual({ name: [expect.stringMatching(/named (ab|a\[U\+200B\]b) already/)] });
    expect((await owner.patch(parameter.url, { name: 'plain' })).status).toBe(200);
  });

  it('is restored by a revert, even next to a similar restored one, unless a current object has a similar name', async () => {
    const organization = await core.organization();
    const { owner } = organization;
    const project = await organization.project({ name: 'shop' });
    const [plain, special] = [
      await organization.parameter({ project, name: 'file' }),
      await organization.parameter({ project, name: 'x' }),
    ];
    await storeName('parameter', special, LIGATURE);
    const operations = [plain, special].map(({ id }) => ({
      operation: 'projects_parameters_destroy',
      path: { project_pk: project.id, id },
    }));
    const { revision } = await applyChanges(organization, operations);
    const otherParameter = await organization.parameter({ project, name: 'fі\u217ce' });

    const response = await revertChanges(owner, revision);
    expect([response.status, JSON.stringify(response.body)]).toEqual([409, expect.stringContaining('looks the same')]);
    expect((await owner.delete(otherParameter.url)).status).toBe(204);
    expect((await revertChanges(owner, revision)).status).toBe(201);
    const { body } = await owner.get<Page<Parameter>>(`${project.url}parameters/`);
    expect(body.results.map(({ name }) => name).sort()).toEqual(['file', LIGATURE]);
  });
});
