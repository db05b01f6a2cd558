import { randomUUID } from 'node:crypto';
import type {
  BackupSnapshot,
  Effective,
  Grant,
  Group,
  Matrix,
  Page,
  Parameter,
  ParameterExport,
  Project,
  User,
} from '@strata/contract';
import type { Role } from '@strata/domain';
import {
  applyImport,
  type ImportItem,
  type ImportResult,
  needsConfirmation,
  planFor,
  type RestConnection,
  readSnapshot,
  restImportClient,
} from '@strata/import';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { connect } from '../../../tools/seed/client.mjs';
import { importConnection, load } from '../../../tools/seed/load.mjs';
import { createForeignSnapshot } from './snapshot-samples.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const connectionTo = async (organization: TestOrganization, role: Role = 'OWNER') =>
  connect(core.origin, (await organization.authorization(role)).replace(/^Api-Key /, ''));

async function fetchSnapshot({ owner }: TestOrganization, query = '?extended=true'): Promise<string> {
  const { status, text } = await owner.post(`backup/snapshot/${query}`);
  expect(status).toBe(200);
  return text;
}

interface Imported extends ImportResult {
  readonly plan: readonly ImportItem[];
}

/** Imports a snapshot as the command and the console do: reads, plans, and applies what is confirmed. */
async function importInto(
  organization: TestOrganization,
  text: string,
  {
    overwrites = [] as readonly ImportItem['effect'][],
    through = (connection: RestConnection) => connection,
    role = 'OWNER' as Role,
  } = {},
): Promise<Imported> {
  const { platform, problem } = readSnapshot(text);
  if (!platform) throw new Error(problem);
  const client = restImportClient(through(importConnection(await connectionTo(organization, role))));
  const plan = await planFor(client, platform);
  const confirmed = plan.filter((item) => !needsConfirmation(item) || overwrites.includes(item.effect));
  const result = await applyImport(client, confirmed, { message: (part) => `Import of ${part}` });
  return { plan, ...result };
}

const fetchRevision = async ({ owner }: TestOrganization) => (await owner.get('environments/')).headers['x-revision'];

/** Returns items by effect, as `kind project name environment: reason`. */
const listed = (plan: readonly ImportItem[], effect: ImportItem['effect']) =>
  plan
    .filter((item) => item.effect === effect)
    .map(
      ({ kind, project, name, environment, reason }) =>
        `${[kind, project, name, environment].filter(Boolean).join(' ')}${reason ? `: ${reason}` : ''}`,
    );

const ENVIRONMENTS = ['default', 'development', 'staging', 'production', 'canary'];
const IDENTITY = /(^|_)(id|ids|url)$|_at$|^(ledger_id|revision|cursor|next|previous|expires_at|since|modified_by)$/;

/** Returns a body without what differs between organizations with the same contents. */
const comparable = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (key, member) => (IDENTITY.test(key) ? undefined : member)));

/** Returns everything that programs read: matrices, effective values, and exports in all formats. */
async function readableIn({ owner }: TestOrganization) {
  const { results } = (await owner.get<Page<Project>>('projects/?page_size=100')).body;
  const projects = await Promise.all(
    results.map(async ({ name, url }) => {
      const matrix = await owner.get<Matrix>(`${url}matrix/?page_size=500`);
      const environments = await Promise.all(
        ENVIRONMENTS.map(async (environment) => {
          const { values } = (await owner.get<Effective>(`${url}effective/?environment=${environment}`)).body;
          const exports = await Promise.all(
            ['docker', 'dotenv', 'shell'].map(async (output) => {
              const query = `output=${output}&environment=${environment}`;
              return (await owner.get<ParameterExport>(`${url}parameter-export/?${query}`)).body.body;
            }),
          );
          return { environment, values, exports };
        }),
      );
      return { name, matrix: comparable(matrix.body), environments };
    }),
  );
  return Object.fromEntries(projects.map((project) => [project.name, project]));
}

describe('the import of a snapshot', () => {
  it('creates a configuration with the same matrices and exports, and changes nothing when repeated', async () => {
    const [source, target] = [await core.organization(), await core.organization()];
    await load(await connectionTo(source), () => {});
    const text = await fetchSnapshot(source);

    const { rejected, plan } = await importInto(target, text);

    expect(rejected).toEqual([]);
    expect([...listed(plan, 'conflict'), ...listed(plan, 'skipped')]).toEqual([]);
    expect(await readableIn(target)).toEqual(await readableIn(source));
    const [secondResult, before] = [JSON.parse(await fetchSnapshot(target)), JSON.parse(text)];
    expect({ ...secondResult, timestamp: '' }).toEqual({ ...before, timestamp: '' });

    const revision = await fetchRevision(target);
    const repeated = await importInto(target, text);
    expect(repeated).toMatchObject({ applied: [], rejected: [] });
    expect(listed(repeated.plan, 'changed')).toEqual([]);
    expect(await fetchRevision(target)).toBe(revision);
  });

  it('continues after it was interrupted at any changeset', async () => {
    const [source, target] = [await core.organization(), await core.organization()];
    await load(await connectionTo(source), () => {});
    const text = await fetchSnapshot(source);
    let interruptions = 0;
    for (let isDone = false; !isDone; ) {
      // The response of every other changeset is lost, so the import does not know whether it was applied.
      let sent = 0;
      const through = ({ apply, ...connection }: RestConnection): RestConnection => ({
        ...connection,
        async apply(body) {
          const response = await apply(body);
          sent += 1;
          if (sent === 2) throw new Error('The connection was lost.');
          return response;
        },
      });
      isDone = await importInto(target, text, { through }).then(
        () => true,
        () => false,
      );
      if (!isDone) interruptions += 1;
    }

    expect(interruptions).toBeGreaterThan(3);
    const [secondResult, before] = [JSON.parse(await fetchSnapshot(target)), JSON.parse(text)];
    expect({ ...secondResult, timestamp: '' }).toEqual({ ...before, timestamp: '' });
  });

  it('shows no secret in its plan, in events, in the audit or in errors', async () => {
    const target = await core.organization();
    const secret = `canary-${randomUUID()}`;
    const text = createForeignSnapshot({ secret });

    const { plan, rejected } = await importInto(target, text);

    const shownItems = plan.map(({ operation: _, ...item }) => item);
    expect(JSON.stringify([shownItems, rejected.map(({ message }) => message)])).not.toContain(secret);
    for (const path of ['events/?limit=500', 'audit/?page_size=500', 'changesets/?page_size=100']) {
      expect((await target.owner.get(path)).text).not.toContain(secret);
    }
    const project = (await target.owner.get<Page<Project>>('projects/?name=shop')).body.results[0];
    const masked = await target.owner.get<Effective>(
      `${project?.url}effective/?environment=production&mask_secrets=true`,
    );
    // A dynamic text that refers to a secret is masked like the secret.
    expect(masked.text).not.toContain(secret);
    const { values } = (await target.owner.get<Effective>(`${project?.url}effective/?environment=production`)).body;
    expect(values).toMatchObject({ PASSWORD: secret, DATABASE_URL: `postgres://shop:${secret}@db:5432` });
  });

  it('reads a snapshot of another service: optional members, inherited, external, null and dynamic values', async () => {
    const target = await core.organization();

    const { plan, rejected } = await importInto(target, createForeignSnapshot({ secret: 'hunter2' }));

    expect(rejected).toEqual([]);
    expect(listed(plan, 'conflict')).toEqual([]);
    expect(listed(plan, 'skipped')).toEqual([
      'rule port: Strata has no rules of the kind even. Use one of min, max, min_len, max_len, regex.',
      'value shop FROM_VAULT default: Its text is in an external system, and an import does not connect it. Set the value again with its location.',
      'value shop RENDERED default: The snapshot has only the evaluated text, which can contain secrets. Set the source text yourself.',
    ]);
    const differing = plan.filter(({ difference }) => difference !== undefined);
    expect(differing).toMatchObject([
      {
        name: 'PASSWORD_COPY',
        effect: 'created',
        difference: expect.stringContaining('Its evaluated text is imported'),
      },
    ]);
    const { projects, environments, types } = JSON.parse(await fetchSnapshot(target)) as BackupSnapshot;
    expect(environments).toMatchObject({
      qa: { parent: 'staging', description: '' },
      production: { parent: 'default' },
    });
    expect(types).toMatchObject({
      port: { parent: 'integer', rules: { min: { constraint: '1' }, max: { constraint: '65535' } } },
      'high port': { parent: 'port', rules: { min: { constraint: '1024' } } },
      code: {
        parent: 'string',
        rules: { regex: { constraint: '[A-Z]+' }, min_len: { constraint: '2' }, max_len: { constraint: '4' } },
      },
    });
    expect(projects.shop?.parent).toBe('base');
    const parameters = projects.shop?.parameters ?? {};
    const listTexts = (name: string) =>
      Object.values(parameters[name]?.values ?? {}).map(({ environment, raw }) => [environment, raw]);
    expect(listTexts('PORT')).toEqual([
      ['default', '8080'],
      ['production', '8443'],
    ]);
    expect(parameters.PORT).toMatchObject({ param_type: 'high port', rules: { max: { constraint: '9000' } } });
    expect(listTexts('BANNER')).toEqual([
      ['default', 'hello'],
      ['qa', null],
    ]);
    expect(listTexts('DATABASE_URL')).toEqual([['default', 'postgres://shop:{{ PASSWORD }}@db:{{ DB_PORT }}']]);
    expect(listTexts('PASSWORD_COPY')).toEqual([['default', 'hunter2']]);
    expect(listTexts('BROKEN')).toEqual([['default', '{{ BANNER | upcase }}']]);
    expect(parameters.BROKEN?.values.default?.evaluated).toBe(true);
    expect(listTexts('ENABLED')).toEqual([['default', 'true']]);
    expect(projects.base?.templates['motd.txt']).toMatchObject({ text: 'Port {{ DB_PORT }}\n', description: '' });
    expect(projects.base?.templates['all.txt']).toMatchObject({ text: '{{ strata.projects.shop.parameters.PORT }}' });
  });

  it('lists conflicts with what to do, and overwrites nothing without confirmation', async () => {
    const target = await core.organization();
    const project = await target.project({ name: 'shop', description: 'ours' });
    const port = await target.parameter({ project, name: 'PORT', type: 'string' });
    await target.value({ parameter: port, internal_value: 'kept' });
    const banner = await target.parameter({ project, name: 'BANNER' });
    await target.value({ parameter: banner, internal_value: 'ours' });
    const password = await target.parameter({ project, name: 'PASSWORD' });
    await target.value({ parameter: password, internal_value: 'not secret' });
    await target.environment({ name: 'QA' });
    const text = createForeignSnapshot({ secret: 'hunter2' });

    const first = await importInto(target, text);

    const conflicts = listed(first.plan, 'conflict');
    expect(conflicts).toContainEqual(
      expect.stringMatching(/^environment qa: “QA” exists, which differs only in case\. Rename/),
    );
    expect(conflicts).toContainEqual(
      expect.stringMatching(/^value shop BANNER qa: The environment qa is not imported\.$/),
    );
    expect(conflicts).toContainEqual(
      expect.stringMatching(/^parameter shop PORT: Its type is string here and high port in/),
    );
    expect(conflicts).toContainEqual(
      expect.stringMatching(/^parameter shop PASSWORD: It is not secret here and secret in/),
    );
    expect(conflicts).toContainEqual(expect.stringMatching(/^project shop: It depends on nothing here, and base in/));
    expect(listed(first.plan, 'changed')).toEqual(['value shop BANNER default']);
    const read = async () =>
      (await target.owner.get<Effective>(`${project.url}effective/?environment=default`)).body.values;
    expect(await read()).toMatchObject({ BANNER: 'ours', PORT: 'kept', PASSWORD: 'not secret', ENABLED: 'true' });
    await importInto(target, text, { overwrites: ['changed'] });
    expect(await read()).toMatchObject({ BANNER: 'hello', PORT: 'kept', PASSWORD: 'not secret' });
  });

  it('keeps secrets that exist unless the caller confirms that they are set again', async () => {
    const target = await core.organization();
    await importInto(target, createForeignSnapshot({ secret: 'first' }));
    const second = createForeignSnapshot({ secret: 'second' });
    const project = (await target.owner.get<Page<Project>>('projects/?name=shop')).body.results[0];
    const read = async () =>
      (await target.owner.get<Effective>(`${project?.url}effective/?environment=default`)).body.values.PASSWORD;

    const { plan } = await importInto(target, second, { overwrites: ['changed'] });

    expect(listed(plan, 'secret')).toEqual(['value shop PASSWORD default', 'value shop PASSWORD_COPY default']);
    expect(JSON.stringify(plan.map(({ operation: _, ...item }) => item))).not.toContain('second');
    expect(await read()).toBe('first');
    await importInto(target, second, { overwrites: ['secret'] });
    expect(await read()).toBe('second');
  });

  it('imports what the core accepts, and reports the rest with the reason', async () => {
    const target = await core.organization();
    await target.owner.patch(`organizations/${target.id}/`, { project_name_pattern: 'app-.*' });
    const emptyProject = (name: string) => ({ name, parameters: {}, templates: {} });
    const text = JSON.stringify({
      environments: {},
      projects: {
        'app-a': emptyProject('app-a'),
        b: emptyProject('b'),
        'app-c': { ...emptyProject('app-c'), parent: 'b' },
      },
      timestamp: '2024-01-01T00:00:00Z',
    });

    const { applied, rejected } = await importInto(target, text);

    expect(applied).toEqual(['project:app-a']);
    expect(rejected.map(({ item, message }) => [item.name, message])).toEqual([
      ['b', expect.stringContaining('app-.*')],
      ['app-c', 'It needs an object that was not imported.'],
    ]);
  });
});

describe('tags, groups and grants', () => {
  it('are part of an extended snapshot, and are imported for members of the organization', async () => {
    const [source, target] = [await core.organization(), await core.organization()];
    const vault = await source.project({ name: 'vault' });
    const me = (await source.owner.get<{ url: string; email: string }>('users/current/')).body;
    const robot = (
      await source.owner.post<{ user: { url: string } }>('serviceaccounts/', { name: 'robot', role: 'VIEWER' })
    ).body;
    await source.owner.post('groups/', { name: 'payments', users: [me.url, robot.user.url] });
    const group = (await source.owner.get<Page<Group>>('groups/')).body.results[0];
    await source.owner.post('grants/', { principal: me.url, scope: vault.url, role: 'OWNER' });
    await source.owner.post('grants/', { principal: group?.url, scope: vault.url, role: 'CONTRIB' });
    const staging = await source.environmentNamed('staging');
    await source.owner.post(`${staging.url}tags/`, {
      name: 'v1',
      description: 'first',
      timestamp: '2024-05-01T00:00:00Z',
    });
    const text = await fetchSnapshot(source);
    expect(await fetchSnapshot(source, '')).not.toContain('"grants"');

    const { plan, rejected } = await importInto(target, text);

    expect(rejected).toEqual([]);
    expect(listed(plan, 'skipped')).toEqual([
      'group payments: robot: There is no service account robot. Create it and give its new key to the program, then import again.',
    ]);
    const { tags, groups, grants } = JSON.parse(await fetchSnapshot(target)) as BackupSnapshot;
    expect(tags).toEqual(JSON.parse(text).tags);
    expect(groups).toEqual([
      expect.objectContaining({ name: 'payments', members: [expect.objectContaining({ email: me.email })] }),
    ]);
    expect(grants).toEqual(expect.arrayContaining(JSON.parse(text).grants));
    const there = (await target.owner.get<Page<Project>>('projects/?name=vault')).body.results[0];
    expect(there?.access_controlled).toBe(true);
    expect((await target.as('CONTRIB').get(`${there?.url}parameters/`)).status).toBe(403);
    const revision = await fetchRevision(target);
    expect((await importInto(target, text)).applied).toEqual([]);
    expect(await fetchRevision(target)).toBe(revision);
    expect((await target.owner.get<Page<Grant>>('grants/')).body.count).toBeGreaterThanOrEqual(2);
  });

  it('protect what is imported: if the caller may not restrict a scope, nothing is created in it', async () => {
    const [source, target] = [await core.organization(), await core.organization()];
    const me = (await source.owner.get<{ url: string }>('users/current/')).body;
    const vault = await source.project({ name: 'vault' });
    const childProject = await source.project({ name: 'below', depends_on: vault.url });
    const shop = await source.project({ name: 'shop' });
    const closed = await source.environment({ name: 'closed' });
    for (const project of [vault, childProject, shop]) {
      const parameter = await source.parameter({ project, name: `TOKEN_${project.name}`, secret: true });
      await source.value({ parameter, environment: closed, internal_value: 'in closed' });
      await source.value({ parameter, internal_value: `in ${project.name}` });
    }
    for (const { url } of [vault, closed])
      await source.owner.post('grants/', { principal: me.url, scope: url, role: 'OWNER' });

    const { rejected } = await importInto(target, await fetchSnapshot(source), { role: 'CONTRIB' });

    const { projects } = JSON.parse(await fetchSnapshot(target)) as BackupSnapshot;
    expect([projects.vault?.parameters, projects.below?.parameters]).toEqual([{}, {}]);
    expect(Object.keys(projects.shop?.parameters.TOKEN_shop?.values ?? {})).toEqual(['default']);
    expect(rejected.map(({ item: { kind, name }, message }) => `${kind} ${name}: ${message}`)).toContainEqual(
      expect.stringMatching(/^value TOKEN_below: Its project or environment is restricted in the source and not here/),
    );

    const secondImport = await importInto(target, await fetchSnapshot(source), { overwrites: ['changed'] });
    expect(secondImport.rejected).toEqual([]);
    expect(JSON.parse(await fetchSnapshot(target)).projects).toEqual(JSON.parse(await fetchSnapshot(source)).projects);
    const there = (await target.owner.get<Page<Project>>('projects/?name=below')).body.results[0];
    expect((await target.as('VIEWER').get(`${there?.url}parameters/`)).status).toBe(403);
  });

  it('report a tag with another time as a conflict, and set another expiration only after confirmation', async () => {
    const [source, target] = [await core.organization(), await core.organization()];
    const contents = async (organization: TestOrganization, { time, expires }: { time: string; expires: string }) => {
      const staging = await organization.environmentNamed('staging');
      await organization.owner.post(`${staging.url}tags/`, { name: 'v1', timestamp: time });
      const project = await organization.project({ name: 'shop' });
      return organization.parameter({ project, name: 'TOKEN', secret: true, expires });
    };
    await contents(source, { time: '2024-05-01T00:00:00Z', expires: 'P30D' });
    const token = await contents(target, { time: '2024-05-02T00:00:00Z', expires: 'P60D' });
    const text = await fetchSnapshot(source);
    const expiresAfter = async () => (await target.owner.get<Parameter>(token.url)).body.expires;

    const { plan, applied } = await importInto(target, text);

    expect(listed(plan, 'conflict')).toEqual([
      expect.stringMatching(/^tag v1 staging: Its time is 2024-05-02.* here and 2024-05-01.* in the source\. It stays/),
    ]);
    expect(plan.filter(({ effect }) => effect === 'changed')).toMatchObject([
      { kind: 'parameter', name: 'TOKEN', before: 'expires after P60D', after: 'expires after P30D' },
    ]);
    expect([applied, await expiresAfter()]).toEqual([[], 'P60D']);
    await importInto(target, text, { overwrites: ['changed'] });
    expect(await expiresAfter()).toBe('P30D');
  });

  it('of the caller are not created again, because the caller becomes OWNER of what the import restricts', async () => {
    const [source, target] = [await core.organization(), await core.organization()];
    const fetchAccount = async (organization: TestOrganization) =>
      (await organization.as('OWNER').get<User>('users/current/')).body;
    const [there, here] = [await fetchAccount(source), await fetchAccount(target)];
    const [vault, safe] = [await source.project({ name: 'vault' }), await source.project({ name: 'safe' })];
    for (const { url } of [vault, safe]) await source.owner.patch(url, { access_controlled: true });
    await source.owner.post('grants/', { principal: there.url, scope: vault.url, role: 'OWNER' });
    await source.owner.post('grants/', { principal: there.url, scope: safe.url, role: 'VIEWER' });
    const text = (await fetchSnapshot(source)).replaceAll(there.name ?? '', here.name ?? '');

    const { plan, rejected } = await importInto(target, text);

    expect(rejected).toEqual([]);
    expect(listed(plan, 'conflict')).toEqual([
      expect.stringMatching(/^grant safe .* VIEWER: The role is OWNER here and VIEWER in the source\. It stays/),
    ]);
    expect(listed(plan, 'unchanged')).toContainEqual(expect.stringMatching(/^grant vault .* OWNER$/));
  });
});
