// What is asked of whom: the floors, and Strata beside them.
import { deepStrictEqual } from 'node:assert';
import { ENVIRONMENTS } from './configuration.mjs';
import { requestBytes } from './http-load.mjs';

const ENVIRONMENT = 'production';
const PAGE_SIZE = 100;
const READERS = 10;
const WRITERS = 10;
/** Each of so many questions is asked once after a write. */
const COLD_BATCH = 160;
const QUERY = `query ($project: ID!, $environment: ID!) {
  effective(projectId: $project, environmentId: $environment, reveal: true) { revision digest map } }`;

const cycle = (items) => {
  let at = 0;
  return () => items[at++ % items.length];
};

/** Requests of the API, as bytes and as answers. */
export function api(url, apiKey) {
  const { host, port } = new URL(url);
  const headers = { authorization: `Api-Key ${apiKey}` };
  return {
    port: Number(port),
    bytes: (method, path, body, more = {}) =>
      requestBytes(method, path, { host, headers: { ...headers, ...more }, body }),
    async ask(path) {
      const response = await fetch(`${url}${path}`, { headers });
      if (!response.ok) throw new Error(`GET ${path}: ${response.status}`);
      return { text: await response.text(), etag: response.headers.get('etag') };
    },
  };
}

/** The paths of the measured project. */
export function places({ projects }) {
  const [project] = projects;
  const base = `/api/v1/projects/${project.id}`;
  return {
    project,
    compact: `${base}/effective/?environment=${ENVIRONMENT}`,
    list: `${base}/parameters/?environment=${ENVIRONMENT}&page_size=${PAGE_SIZE}`,
    value: `${base}/parameters/${project.parameters[0].id}/values/${project.parameters[0].values[0]}/`,
  };
}

let writersMade = 0;

/** PATCHes of one value after the other, each with a text that it did not have, whoever else patches it. */
export function patches(core, { projects }) {
  const paths = projects.flatMap(({ id, parameters }) =>
    parameters.flatMap((parameter) =>
      parameter.values.map((value) => `/api/v1/projects/${id}/parameters/${parameter.id}/values/${value}/`),
    ),
  );
  const path = cycle(paths);
  writersMade += 1;
  const writer = writersMade;
  let count = 0;
  return () => core.bytes('PATCH', path(), { internal_value: `text number ${++count} of writer ${writer}` });
}

/** What the floors have to answer: the very bytes of Strata. */
export async function floorMessage(core, data, url, organizationId) {
  const { project, compact, list } = places(data);
  const bodies = { compact: (await core.ask(compact)).text, list: (await core.ask(list)).text };
  const { digest } = JSON.parse(bodies.compact);
  const question = [organizationId, project.id, ENVIRONMENT];
  return { bodies, digest, question, root: `${url}/api/v1/`, pageSize: PAGE_SIZE };
}

/** A floor that answered less would be no floor. */
export async function proveFloors(core, data, floorsUrl) {
  const { compact, list } = places(data);
  for (const [path, name] of [
    [compact, 'compact'],
    [list, 'list'],
  ]) {
    const ours = JSON.parse((await core.ask(path)).text);
    const floor = await (await fetch(`${floorsUrl}/sql/${name}`)).json();
    deepStrictEqual(floor, ours, `The SQL floor does not answer what ${path} answers.`);
  }
}

/** Every question there is about effective configurations, so that each can be asked once after a write. */
function allQuestions(core, { projects, environments }) {
  const named = [...ENVIRONMENTS, ...environments.map(({ id }) => id)];
  return projects.flatMap(({ id }) =>
    named.flatMap((environment) =>
      ['', '&mask_secrets=true'].map((mask) =>
        core.bytes('GET', `/api/v1/projects/${id}/effective/?environment=${environment}${mask}`),
      ),
    ),
  );
}

/** The reads. `write` makes the organization move on, unmeasured. */
export function readSubjects({ core, gateway, data, floors, pids, write }) {
  const { project, compact, list, value } = places(data);
  const same = (bytes) => () => bytes;
  const floor = (key, title, path) => ({
    key,
    title: `floor: ${title}`,
    port: floors.port,
    pids: [pids.floors],
    next: same(requestBytes('GET', path, { host: `127.0.0.1:${floors.port}` })),
  });
  const ours = (key, title, next, more) => ({ key, title, port: core.port, pids: [pids.core], next, ...more });
  const questions = allQuestions(core, data);
  const notModified = { status: 304, before: refreshed };
  let unchanged;
  async function refreshed() {
    unchanged = core.bytes('GET', compact, undefined, { 'if-none-match': (await core.ask(compact)).etag });
  }
  const graphql = { query: QUERY, variables: { project: project.id, environment: ENVIRONMENT } };
  const subjects = [
    floor('memoryCompact', 'compact from memory', '/memory/compact'),
    floor('sqlCompact', 'compact by one SQL statement', '/sql/compact'),
    ours('compact', 'compact, unchanged since last asked', same(core.bytes('GET', compact))),
    ours('compactCold', 'compact, first read after a write', cycle(questions), {
      before: write,
      batch: Math.min(questions.length, COLD_BATCH),
    }),
    ours('notModified', 'compact, 304', () => unchanged, notModified),
    {
      ...ours('graphql', 'GraphQL effective, gateway + core', same(gateway.bytes('POST', '/graphql', graphql))),
      port: gateway.port,
      pids: [pids.gateway, pids.core],
    },
    floor('memoryList', 'list from memory', '/memory/list'),
    floor('sqlList', 'list by one SQL statement', '/sql/list'),
    ours('list', 'contract list, environment=', same(core.bytes('GET', list))),
    ours('value', 'one value', same(core.bytes('GET', value))),
  ];
  return subjects.map((subject) => ({ connections: READERS, status: 200, ...subject }));
}

/** The writes: one writer alone, and several at once. */
export function writeSubjects({ core, data, floors, pids }) {
  const host = `127.0.0.1:${floors.port}`;
  const ids = data.projects.flatMap(({ parameters }) => parameters.flatMap(({ values }) => values));
  const id = cycle(ids);
  let count = 0;
  const update = () =>
    requestBytes('PATCH', `/update/${id()}`, { host, body: { internal_value: `text number ${++count}` } });
  return [1, WRITERS].flatMap((connections) => {
    const who = connections === 1 ? 'one writer' : `${connections} writers`;
    const of = { connections, status: 200 };
    return [
      {
        ...of,
        key: `update${connections}`,
        title: `floor: one UPDATE, ${who}`,
        port: floors.port,
        pids: [pids.floors],
        next: update,
      },
      {
        ...of,
        key: `write${connections}`,
        title: `PATCH of a value, ${who}`,
        port: core.port,
        pids: [pids.core],
        next: patches(core, data),
      },
    ];
  });
}
