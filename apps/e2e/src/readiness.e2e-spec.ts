import type { Page, Project } from '@strata/contract';
import { findFreePort } from '@strata/processes';
import {
  createTestDatabase,
  organization,
  type TestDatabase,
  type TestOrganization,
  testCredentials,
} from '@strata/testkit';
import { buildMissingApps, fetchStatus, type Service, startService } from './processes.ts';

const ASKERS = 6;
/** The number of requests that each client sends in sequence. */
const QUESTIONS = 2;
const PARAMETERS = 300;
const WRITES = 200;

let database: TestDatabase;
let core: Service;
let loaded: TestOrganization;
let project: Project;
const environments: string[] = [];

beforeAll(async () => {
  await buildMissingApps('core');
  database = await createTestDatabase();
  core = await startService('core', await findFreePort(), {
    DATABASE_URL: database.url,
    STRATA_ROOT_KEY: testCredentials().rootKey,
    STRATA_LOG_LEVEL: 'error',
  });
  loaded = await organization({ origin: core.origin, ...testCredentials() });
  await fill();
});
afterAll(async () => {
  await core.end('SIGKILL');
  await database.drop();
});

/** Creates many parameters with values in many environments, and one value with a long history. */
async function fill(): Promise<void> {
  const { body } = await loaded.owner.get<Page<{ readonly name: string }>>('environments/');
  environments.push(...body.results.map(({ name }) => name));
  while (environments.length < ASKERS * QUESTIONS) environments.push((await loaded.environment()).name);
  for (const environment of environments.slice(0, 6)) {
    const lines = Array.from({ length: PARAMETERS }, (_, n) => `NAME_${n}=${environment} ${'text '.repeat(20)}`);
    const input = { project: 'large', environment, body: lines.join('\n'), secrets: [], ignore: [] };
    expect((await loaded.owner.post('import/', input)).status).toBe(201);
  }
  const projects = await loaded.owner.get<Page<Project>>('projects/?name=large');
  project = projects.body.results[0] as Project;
  const value = await loaded.value({ parameter: await loaded.parameter({ project, name: 'OFTEN' }) });
  for (let n = 0; n < WRITES; n += 1) await loaded.owner.patch(value.url, { internal_value: `text ${n}` });
}

/** The paths by kind. Each number gives another path, so that no response is cached. */
const LONG: Readonly<Record<string, (n: number) => string>> = {
  matrices: (n) => `${project.url}matrix/?page_size=${PARAMETERS + n}`,
  explanations: (n) => `${project.url}explain/?name=OFTEN&environment=${environments[n]}`,
  searches: (n) => `search/?q=text&in=value&page_size=${400 + n}`,
  lists: (n) => `${project.url}parameters/?page_size=${PARAMETERS + n}`,
};

/**
 * Requests a path and returns the status. It does not parse the response, because that would keep this process from sending other requests.
 */
async function statusOfWhole(path: string): Promise<number> {
  const authorization = loaded.ownerAuthorization;
  const response = await fetch(new URL(path, `${core.origin}/api/v1/`), { headers: { authorization } });
  await response.arrayBuffer();
  return response.status;
}

it.each(Object.keys(LONG))('/readyz responds while several clients request long %s at once', async (kind) => {
  const path = LONG[kind] as (typeof LONG)[string];
  let responseCount = 0;
  const clients = Array.from({ length: ASKERS }, async (_, client) => {
    const statuses: number[] = [];
    for (let n = 0; n < QUESTIONS; n += 1) {
      statuses.push(await statusOfWhole(path(client * QUESTIONS + n)));
      responseCount += 1;
    }
    return statuses;
  });
  const ready: number[] = [];
  while (responseCount < ASKERS * QUESTIONS) ready.push(await fetchStatus(core.origin, 'readyz'));

  const statuses = new Set((await Promise.all(clients)).flat());
  // A busy machine may have to shed some of them.
  expect([...statuses].filter((status) => status !== 503)).toEqual([200]);
  expect(new Set(ready)).toEqual(new Set([200]));
  // If long requests blocked the process, it would respond to only a few readiness checks per round.
  expect(ready.length).toBeGreaterThan(ASKERS);
});
