import type { AuditTrail, ImportParameter, Page, PutValuesAnswer } from '@strata/contract';
import { type RawClient, type Reply, type RunningCore, sharedCore } from '@strata/testkit';
import { createPerson } from '../../testing/people.ts';
import { latestRevision, set } from '../../testing/reverts.ts';
import { waitUntil } from '../../testing/until.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const SECRET = 'hunter2';
/** A wrong guess and the right one. */
const GUESSES = ['hunter3', SECRET];

/** Creates a secret that was written again after the known revision, and a copy of each guess. */
async function fixture() {
  const organization = await core.organization();
  const { owner } = organization;
  const project = await organization.project({ name: 'web' });
  const token = await organization.parameter({ project, name: 'TOKEN', secret: true });
  const value = await organization.value({ parameter: token, internal_value: 'earlier' });
  const seen = await latestRevision(organization);
  await owner.patch(value.url, { internal_value: SECRET });
  const path = { project_pk: project.id, parameter_pk: token.id, id: value.id };
  return { organization, owner, project, value, path, seen };
}

type Fixture = Awaited<ReturnType<typeof fixture>>;
type Write = (setup: Fixture, guess: string, more: object) => Promise<Reply<unknown>>;

const changeset = (client: RawClient, operation: object, more: object, headers: Record<string, string> = {}) =>
  client.post('changesets/', { operations: [operation], ...more }, headers);

const WRITES: Readonly<Record<string, Write>> = {
  'set by name': ({ owner }, guess, more) => changeset(owner, set('web', { TOKEN: guess }), more),
  'set by id through GraphQL': ({ owner, path }, guess, more) => {
    const operation = 'projects_parameters_values_partial_update';
    const body = { internal_value: guess };
    return changeset(owner, { operation, path, body }, more, { 'x-strata-surface': 'graphql' });
  },
  imported: ({ owner }, guess, more) => {
    const body = { project: 'web', environment: 'default', body: `TOKEN=${guess}`, secrets: [], ignore: [] };
    return changeset(owner, { operation: 'import_create', body }, more);
  },
  'promoted from an environment that the caller may write': async ({ owner }, guess, more) => {
    await changeset(owner, set('web', { TOKEN: guess }, 'staging'), {});
    return changeset(owner, { promote: { project: 'web', from: 'staging', to: 'default' } }, more);
  },
};

/** Returns the parts of a response that must not depend on earlier writes. */
function comparable({ status, body }: Reply<unknown>): unknown {
  return [status, JSON.stringify(body).replaceAll(/"(revision|base_revision)":\d+|"(at|ledger_id)":"[^"]*"/g, '')];
}

describe('a conditional write does not reveal whether a guessed text equals a secret', () => {
  it.each(Object.keys(WRITES))('that is %s', async (kind) => {
    const responses: unknown[] = [];
    const all = await fixture();
    for (const guess of GUESSES) {
      const response = await (WRITES[kind] as Write)(all, guess, { base_revision: all.seen });
      expect([guess, response.status]).toEqual([guess, 412]);
      expect(response.text).not.toContain('hunter');
      responses.push(comparable(response));
    }
    expect(responses[1]).toEqual(responses[0]);
  });

  it('set by name', async () => {
    const { owner, project, seen, organization } = await fixture();
    const latest = await latestRevision(organization);
    const responses: unknown[] = [];
    for (const guess of GUESSES) {
      const path = `${project.url}values/?environment=default&base_revision=${seen}`;
      responses.push(comparable(await owner.put(path, { values: { TOKEN: guess } })));
    }
    expect(responses).toEqual([responses[0], responses[0]]);
    expect(responses[0]).toEqual([412, expect.stringContaining('TOKEN')]);
    expect(await latestRevision(organization)).toBe(latest);
  });

  it('in a plan, or with a plan hash', async () => {
    const { owner } = await fixture();
    const plans: unknown[] = [];
    const applied: unknown[] = [];
    for (const guess of GUESSES) {
      const operations = [set('web', { TOKEN: guess })];
      const { body } = await owner.post<Record<string, unknown>>('changesets/plan/', { operations });
      plans.push({ ...body, plan_hash: null });
      applied.push((await owner.post('changesets/', { operations, plan_hash: 'of another plan' })).status);
    }
    expect(plans[1]).toEqual(plans[0]);
    expect(applied).toEqual([412, 412]);
  });
});

/**
 * Plain names whose effective value is the secret: one overrides the secret parameter without a value, the other has a
 * text that refers to the secret.
 */
const SHOWN_BY_A_PLAIN_NAME: Readonly<Record<string, (setup: Fixture) => Promise<string>>> = {
  'inherited by a plain parameter': async ({ organization, project }) => {
    const child = await organization.project({ name: 'child', depends_on: project.url });
    await organization.parameter({ project: child, name: 'TOKEN' });
    return 'TOKEN';
  },
  'contained in an inherited text': async ({ organization, project }) => {
    const says = await organization.parameter({ project, name: 'SAYS' });
    await organization.value({ parameter: says, internal_value: '{{ TOKEN }}', interpolated: true });
    await organization.project({ name: 'child', depends_on: project.url });
    return 'SAYS';
  },
};

describe('an import records a comparison that reveals whether a text equals a secret', () => {
  it.each(Object.keys(SHOWN_BY_A_PLAIN_NAME))('that is %s', async (how) => {
    const all = await fixture();
    const { owner } = all;
    const name = await (SHOWN_BY_A_PLAIN_NAME[how] as (setup: Fixture) => Promise<string>)(all);
    const importGuess = (guess: string) => {
      const body = `${name}=${guess}`;
      return { project: 'child', environment: 'default', body, secrets: [], ignore: [] };
    };
    const plans: unknown[] = [];
    for (const guess of GUESSES) {
      const operations = [{ operation: 'import_create', body: importGuess(guess) }];
      const { body } = await owner.post<{ changes: unknown }>('changesets/plan/', { operations });
      plans.push(JSON.stringify(body.changes).replaceAll(/"[\da-f-]{36}"/g, ''));
    }
    expect(plans[1]).toEqual(plans[0]);

    const guesser = await createPerson(core, all.organization.id, 'CONTRIB');
    await guesser.client.post('import/?preview=true', importGuess(SECRET));
    const reveals = () => owner.get<Page<AuditTrail>>(`audit/?action=reveal&user_id=${guesser.id}`);
    expect((await waitUntil(reveals, ({ body }) => body.count > 0)).body.results).toMatchObject([
      { object_type: 'Organization' },
    ]);
  });
});

describe('a secret that is set to the same text', () => {
  it('is not written again by a client that knows the latest version', async () => {
    const { owner, project, organization } = await fixture();
    const latest = await latestRevision(organization);
    const base = { base_revision: latest };
    expect(await changeset(owner, set('web', { TOKEN: SECRET }), base)).toMatchObject({
      status: 201,
      body: { url: null, revision: latest },
    });
    const path = `${project.url}values/?environment=default&base_revision=${latest}`;
    expect((await owner.put<PutValuesAnswer>(path, { values: { TOKEN: SECRET } })).body.values).toMatchObject([
      { name: 'TOKEN', action: 'unchanged' },
    ]);
    const body = { project: 'web', environment: 'default', body: `TOKEN=${SECRET}`, secrets: [], ignore: [] };
    expect((await owner.post<{ parameter: ImportParameter[] }>('import/', body)).body.parameter).toMatchObject([
      { action: 'unchanged' },
    ]);
    expect(await latestRevision(organization)).toBe(latest);
  });
});
