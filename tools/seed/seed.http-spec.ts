import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { samplePlatform } from '../../apps/console/src/features/first-run/sample-platform/platform.ts';
import type { SamplePlatform } from '../../apps/console/src/features/first-run/sample-platform/shape.ts';
import type {
  Effective,
  EventPage,
  LintPage,
  Matrix,
  Page,
  Parameter,
  Value,
  Webhook,
} from '../../libs/contract/src/index.ts';
import { MATRIX_STATES } from '../../libs/domain/src/index.ts';
import { type RunningCore, sharedCore, type TestOrganization } from '../../libs/testkit/src/index.ts';
import { connect } from './client.mjs';
import { load } from './load.mjs';

const { environments, types, projects, examples, webhook } = samplePlatform;

/** A few parameters of the base and of one program, enough to test every kind of object. */
const NAMES = ['TZ', 'SMTP_PASSWORD', 'POSTGRES_PASSWORD', 'max_connections', 'shared_buffers', 'work_mem', 'jit'];
const platform = {
  environments,
  types,
  webhook,
  projects: projects.slice(0, 2).map((project) => ({
    ...project,
    parameters: Object.fromEntries(Object.entries(project.parameters).filter(([name]) => NAMES.includes(name))),
  })),
};

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

async function seed(
  organization: TestOrganization,
  sample: SamplePlatform = platform,
): Promise<{ created: number; messages: string[] }> {
  const authorization = await organization.authorization('OWNER');
  const api = connect(core.origin, authorization.replace(/^Api-Key /, ''));
  const messages: string[] = [];
  const created = await load(api, (part, count) => messages.push(`${part}: ${count}`), sample);
  return { created, messages };
}

async function configuration(organization: TestOrganization, project: string, environment: string): Promise<Effective> {
  const { body } = await organization.owner.get<Page<{ id: string }>>(`projects/?name=${project}`);
  const response = await organization.owner.get<Effective>(
    `projects/${body.results[0]?.id}/effective/?environment=${environment}`,
  );
  return response.body;
}

async function valueInProduction(organization: TestOrganization, project: string, name: string): Promise<Value> {
  const { body } = await organization.owner.get<Page<{ id: string }>>(`projects/?name=${project}`);
  const list = `projects/${body.results[0]?.id}/parameters/?name=${name}&environment=production`;
  const parameter = (await organization.owner.get<Page<Parameter>>(list)).body.results[0];
  const value = Object.values(parameter?.values ?? {})[0];
  if (!value) throw new Error(`${name} has no value.`);
  return value;
}

it('loads the sample values, inherited and overridden', async () => {
  const organization = await core.organization();

  const { created, messages } = await seed(organization);

  const [base, program] = platform.projects.map(({ parameters }) => Object.values(parameters));
  const values = [...(base ?? []), ...(program ?? [])].map(
    (parameter) => Object.keys(parameter.values).length + (parameter.randomIn?.length ?? 0),
  );
  expect(values).toHaveLength(NAMES.length);
  const rules = types.flatMap((type) => Object.keys(type.rules)).length;
  // besides parameters and their values: types and rules, the environment canary, two projects, a template, one webhook
  expect(created).toBe(values.length + values.reduce((sum, count) => sum + count) + types.length + rules + 5);
  expect(messages.map((line) => line.split(':')[0])).toEqual([
    'environments',
    'types',
    'platform-base',
    'postgresql',
    'webhook',
  ]);
  const production = await configuration(organization, 'postgresql', 'production');
  const canary = await configuration(organization, 'postgresql', 'canary');
  expect(production.values).toMatchObject({
    TZ: 'Etc/UTC',
    max_connections: '300',
    shared_buffers: '8GB',
    jit: 'false',
  });
  expect(canary.values).toMatchObject({ max_connections: '100', shared_buffers: '2GB', jit: 'false' });
});

it('contains an example of each kind of lint finding', async () => {
  const organization = await core.organization();
  await seed(organization, { environments, types, webhook, projects: [], examples });
  const inTwoHours = new Date(Date.now() + 7_200_000).toISOString();
  const { body } = await organization.owner.get<LintPage>(`lint/?project=housekeeping&expired_by=${inTwoHours}`);

  expect(body.results.map(({ name, kind, reason }) => `${name} ${kind} ${reason}`)).toEqual([
    'FORMER_FEATURE missing_value no_value',
    'FORMER_FEATURE unreferenced_parameter never_set',
    'legacy-path unreferenced_parameter not_exported',
    'METRICS_URL clear_secret password_in_url',
    'REPORT_BUCKET missing_value no_value',
    'REPORT_LANGUAGE redundant_override same_as_inherited',
    'SIGNING_PHRASE expired_value expired',
  ]);
  expect((await seed(organization, { environments, types, webhook, projects: [], examples })).created).toBe(0);
});

it('creates a template that renders differently in each environment', async () => {
  const organization = await core.organization();
  await seed(organization);

  const project = (await organization.owner.get<Page<{ url: string }>>('projects/?name=postgresql')).body.results[0]
    ?.url;
  const list = `${project}templates/?evaluate=true&environment=production`;
  const { body } = await organization.owner.get<Page<{ body: string; has_secret: boolean }>>(list);

  expect(body.results).toMatchObject([
    {
      body: expect.stringMatching(/^# postgresql in production\nmax_connections = 300\n[^{]*jit = off\n$/),
      has_secret: false,
    },
  ]);
});

it('creates different secrets for each environment and marks them as secret', async () => {
  const organization = await core.organization();
  await seed(organization);

  const texts = await Promise.all(
    ['default', 'staging', 'production'].map(
      async (environment) => (await configuration(organization, 'postgresql', environment)).values.POSTGRES_PASSWORD,
    ),
  );

  expect(new Set(texts).size).toBe(3);
  for (const text of texts) expect(text).toMatch(/^[\w-]{32}$/);
  expect((await valueInProduction(organization, 'postgresql', 'POSTGRES_PASSWORD')).secret).toBe(true);
});

it('changes nothing if everything exists, not even what a user changed since', async () => {
  const organization = await core.organization();
  await seed(organization);
  const value = await valueInProduction(organization, 'postgresql', 'work_mem');
  await organization.owner.patch(value.url, { internal_value: '64MB' });
  const before = await configuration(organization, 'postgresql', 'production');

  const { created } = await seed(organization);

  expect(created).toBe(0);
  expect(await configuration(organization, 'postgresql', 'production')).toEqual(before);
  expect(before.values.work_mem).toBe('64MB');
});

it('creates only the objects that were removed', async () => {
  const organization = await core.organization();
  await seed(organization);
  const value = await valueInProduction(organization, 'postgresql', 'work_mem');
  await organization.owner.delete(value.url);

  expect((await seed(organization)).created).toBe(1);
  expect((await valueInProduction(organization, 'postgresql', 'work_mem')).value).toBe('16MB');
});

/**
 * The parameters of the base and of one program that together show every state of the matrix, with those that they
 * refer to.
 */
const STATES = /^(LOG_|PLATFORM_|HTTP_PROXY|SMTP_PASSWORD|DATABASE_URL|POSTGRES_(USER|PASSWORD|DB)|port$)/;
const OF_STATES = ['platform-base', 'postgresql'];

it('shows every state that a name can have, and contains no real secret', async () => {
  const organization = await core.organization();
  const api = connect(core.origin, (await organization.authorization('OWNER')).replace(/^Api-Key /, ''));
  const stateProjects = projects
    .filter(({ name }) => OF_STATES.includes(name))
    .map((project) => ({
      ...project,
      templates: {},
      parameters: Object.fromEntries(Object.entries(project.parameters).filter(([name]) => STATES.test(name))),
    }));
  await load(api, () => {}, { ...platform, projects: stateProjects, examples });
  const fetchMatrix = async (name: string) => {
    const { body } = await organization.owner.get<Page<{ url: string }>>(`projects/?name=${name}`);
    return (await organization.owner.get<Matrix>(`${body.results[0]?.url}matrix/`)).body;
  };
  const matrices = await Promise.all([...OF_STATES, 'housekeeping'].map(fetchMatrix));

  const cells = matrices.flatMap(({ results }) => results.flatMap((row) => row.cells));
  const states = new Set(cells.flatMap((cell) => cell.states));
  expect([...states].sort()).toEqual([...MATRIX_STATES].sort());
  expect(cells.some(({ problem }) => problem !== undefined)).toBe(false);
  // the shortest lifetime is an hour, so a value that expires within an hour is shown as expiring in a new platform
  const expiring = cells.flatMap(({ expires_at: at }) => (at === undefined ? [] : [new Date(at).getTime()]));
  expect(Math.min(...expiring)).toBeLessThanOrEqual(Date.now() + 3_600_000);
});

it('creates one webhook, last of all, so that loading sends no notification', async () => {
  const organization = await core.organization();
  await seed(organization);

  const { body } = await organization.owner.get<Page<Webhook>>('webhooks/');
  const deliveries = await organization.owner.get<Page<unknown>>(`webhooks/${body.results[0]?.id}/deliveries/`);
  const events = await organization.owner.get<EventPage>('events/?limit=1');

  expect(body.results).toMatchObject([
    { name: 'config-changes', state: 'active', configuration: { channel: '#config-changes' } },
  ]);
  expect(body.results[0]?.event_types).toHaveLength(12);
  expect(events.body.results).toHaveLength(1);
  expect(deliveries.body.count).toBe(0);
});

it('reports why it fails if the core does not respond', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, 'run.mjs'), '--url', 'http://127.0.0.1:9', '--api-key', 'aaaaaaaa.b'],
    { encoding: 'utf8' },
  );

  expect(status).toBe(1);
  expect(stderr).toContain('No answer from http://127.0.0.1:9');
});
