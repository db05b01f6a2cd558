import { setTimeout as sleep } from 'node:timers/promises';
import type { Value } from '@strata/contract';
import { NO_SCOPES } from '@strata/domain';
import { ledgerProblems, type TestOrganization } from '@strata/testkit';
import { type CoreInProcess, moduleOfCore, startCoreInProcess } from '../../testing/core-in-process.ts';
import { lockOrganizationHead } from '../../testing/locked-head.ts';
import { query } from '../../testing/query.ts';
import type { Caller } from '../caller.ts';
import type { Command, WriteContext } from './command.ts';

let core: CoreInProcess;
let unitOfWork: import('./unit-of-work.ts').UnitOfWork;
let combineCommands: typeof import('./command.ts').combineCommands;

beforeAll(async () => {
  core = await startCoreInProcess();
  const { UnitOfWork } = await moduleOfCore<typeof import('./unit-of-work.ts')>('./platform/ledger/unit-of-work.js');
  ({ combineCommands } = await moduleOfCore<typeof import('./command.ts')>('./platform/ledger/command.js'));
  unitOfWork = core.core.app.get(UnitOfWork);
});
afterAll(() => core.close());

interface Fixture {
  readonly organization: TestOrganization;
  readonly value: Value;
  readonly revision: number;
  /** Returns commands of three kinds: one creates an environment, one renames the parameter, one changes the value. */
  commands(text?: string): Promise<[Command<unknown>, Command<unknown>, Command<unknown>]>;
}

async function fixture(): Promise<Fixture> {
  const organization = await core.organization();
  const parameter = await organization.parameter({ name: 'before', type: 'integer' });
  const value = await organization.value({ parameter, internal_value: '1' });
  const caller = await readCaller(organization);
  const { EnvironmentsService } = await moduleOfCore<
    typeof import('../../features/environments/environments.service.ts')
  >('./features/environments/environments.service.js');
  const { ParametersService } = await moduleOfCore<typeof import('../../features/parameters/parameters.service.ts')>(
    './features/parameters/parameters.service.js',
  );
  const { ValueChanges } = await moduleOfCore<typeof import('../../features/parameters/values/value-changes.ts')>(
    './features/parameters/values/value-changes.js',
  );
  const { app } = core.core;
  const key = {
    organizationId: organization.id,
    permissions: caller,
    projectId: idIn(parameter.url, 'projects'),
    id: value.parameter_id,
  };
  const anyway = async () => undefined;
  return {
    organization,
    value,
    revision: Number((await organization.owner.get(value.url)).headers['x-revision']),
    commands: async (text = '2') => [
      app.get(EnvironmentsService).create(caller, { name: 'made', description: '', parent: null }),
      app.get(ParametersService).change(caller, key, { name: 'after' }, anyway),
      await app.get(ValueChanges).change(caller, key, value.id, { internal_value: text }, null),
    ],
  };
}

const idIn = (url: string, collection: string) => new RegExp(`${collection}/([^/]+)`).exec(url)?.[1] ?? '';

async function readCaller(organization: TestOrganization): Promise<Caller> {
  const [member] = await query<{ id: string; person_id: string }>(
    core,
    `select id, person_id from membership where organization_id = $1 and role = 'OWNER'`,
    [organization.id],
  );
  return {
    id: member?.person_id ?? '',
    name: 'somebody',
    type: 'interactive',
    organizationId: organization.id,
    membershipId: member?.id ?? '',
    role: 'OWNER',
    scopes: NO_SCOPES,
    requestId: 'test',
    surface: 'rest',
    revision: 0,
    authorization: null,
    idempotencyKey: null,
  };
}

const recordsAt = (organization: TestOrganization, revision: number) =>
  query<{ type: string; action: string }>(
    core,
    'select object_type as type, action from change where organization_id = $1 and revision = $2 order by ordinal',
    [organization.id, revision],
  );

describe('several commands that run as one write', () => {
  it('create one revision, run in order, and see the changes of the previous commands', async () => {
    const { organization, value, revision, commands } = await fixture();
    const written = await unitOfWork.run(combineCommands('changesets_create', await commands()));

    expect(written.revision).toBe(revision + 1);
    expect(await recordsAt(organization, revision + 1)).toEqual([
      { type: 'Environment', action: 'create' },
      { type: 'Parameter', action: 'update' },
      { type: 'Value', action: 'update' },
    ]);
    const { body } = await organization.owner.get<Value>(value.url);
    expect(body.value).toBe('2');
    expect(await ledgerProblems(core.database.url)).toEqual([]);
  });

  it('store nothing if one of them is rejected', async () => {
    const { organization, value, revision, commands } = await fixture();
    await expect(
      unitOfWork.run(combineCommands('changesets_create', await commands('no number'))),
    ).rejects.toMatchObject({
      kind: 'invalid',
    });
    const { body, headers } = await organization.owner.get<Value>(value.url);
    expect([body.value, Number(headers['x-revision'])]).toEqual(['1', revision]);
    expect((await organization.owner.get<{ count: number }>('environments/?name=made')).body.count).toBe(0);
  });
});

describe('a dry run of a command', () => {
  it.each(['a new environment', 'a renamed parameter', 'another text', 'all of them'])(
    'stores nothing: %s',
    async (name) => {
      const { organization, value, revision, commands } = await fixture();
      const three = await commands();
      const at = ['a new environment', 'a renamed parameter', 'another text'].indexOf(name);
      const command: Command<unknown> = three[at] ?? combineCommands('changesets_create', three);
      const inspected = await unitOfWork.dryRun(command, async (context: WriteContext, _, changes) => {
        const [row] = await context.em.query<{ text: string }[]>('select text from value where id = $1', [value.id]);
        return { revision: context.revision, text: row?.text, count: changes.length };
      });

      const isText = at === 2 || at === -1;
      expect(inspected).toEqual({ revision: revision + 1, text: isText ? '2' : '1', count: at === -1 ? 3 : 1 });
      const { body, headers } = await organization.owner.get<Value>(value.url);
      expect([body.value, Number(headers['x-revision'])]).toEqual(['1', revision]);
      expect((await organization.owner.get<{ count: number }>('environments/?name=made')).body.count).toBe(0);
      expect(await ledgerProblems(core.database.url)).toEqual([]);
    },
  );

  it('returns the error that the command would return', async () => {
    const { commands } = await fixture();
    const [, , change] = await commands('no number');
    await expect(unitOfWork.dryRun(change, async () => undefined)).rejects.toMatchObject({ kind: 'invalid' });
  });
});

describe('commands that wait in the same queue', () => {
  it('get one revision each, of whatever kind they are, and a rejected command does not affect the others', async () => {
    const { organization, value, revision } = await fixture();
    const { owner } = organization;
    const head = await lockOrganizationHead(core, organization.id);
    const sent = Promise.all([
      owner.post('environments/', { name: 'one' }),
      owner.patch(value.url, { internal_value: '2' }),
      owner.post('environments/', { name: 'one' }),
      owner.patch(value.url, { internal_value: 'no number' }),
      owner.post('projects/', { name: 'two' }),
      owner.patch(value.url, {}),
      owner.patch(value.url, { internal_value: '3' }),
      owner.delete('environments/00000000-0000-4000-8000-000000000000/'),
    ]);
    await head.waiting(1);
    // Meanwhile the other commands join the queue behind the first one.
    await sleep(300);
    await head.release();
    const answers = await sent;
    const codes = answers.map(({ status }) => status);
    expect(codes.filter((status) => status < 300)).toHaveLength(5);
    expect(codes).toEqual([expect.anything(), 200, expect.anything(), 400, 201, 200, 200, 404]);
    expect(Number((await owner.get(value.url)).headers['x-revision'])).toBe(revision + 4);
    expect(await ledgerProblems(core.database.url)).toEqual([]);
  });

  it('are stored although a constraint that is checked at commit rejects one of them', async () => {
    const { organization, value } = await fixture();
    await query(core, DEFERRED_CHECK, []);
    try {
      const others = await Promise.all(
        ['a', 'b', 'c', 'd'].map(async (name) =>
          organization.value({ parameter: await organization.parameter({ name }), internal_value: 'text' }),
        ),
      );
      const answers = await Promise.all(
        others.map(({ url }, n) => organization.owner.patch(url, { internal_value: n === 2 ? 'poison' : 'good' })),
      );
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 500, 200]);
      expect((await organization.owner.patch(value.url, { internal_value: '7' })).status).toBe(200);
      const texts = await Promise.all(
        others.map(async ({ url }) => (await organization.owner.get<Value>(url)).body.value),
      );
      expect(texts).toEqual(['good', 'good', 'text', 'good']);
      expect(await ledgerProblems(core.database.url)).toEqual([]);
    } finally {
      await query(core, 'drop trigger strata_test_error on value; drop function strata_test_error()', []);
    }
  });

  it('are rejected if too many wait, and later commands of the organization succeed', async () => {
    const { organization, value } = await fixture();
    const head = await lockOrganizationHead(core, organization.id);
    const answers = Array.from({ length: 520 }, (_, n) =>
      organization.owner.patch(value.url, { internal_value: `${n}` }),
    );
    const response = await Promise.race(
      answers.map(async (answer) => ((await answer).status === 503 ? answer : new Promise<never>(() => undefined))),
    );
    expect(response.headers['x-error-code']).toBe('contention');
    await head.release();
    const codes = (await Promise.all(answers)).map(({ status }) => status);
    // On a busy machine, some of the waiting commands exceed their time limit.
    expect(new Set(codes)).toEqual(new Set([200, 503]));
    expect((await organization.owner.patch(value.url, { internal_value: '520' })).status).toBe(200);
    expect(await ledgerProblems(core.database.url)).toEqual([]);
  });
});

const DEFERRED_CHECK = `
create function strata_test_error() returns trigger language plpgsql as
  $$ begin if new.text = 'poison' then raise exception 'rejected' using errcode = '23514'; end if; return null; end $$;
create constraint trigger strata_test_error after update on value deferrable initially deferred
  for each row execute function strata_test_error()`;
