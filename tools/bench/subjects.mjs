// The subjects of the bench: the floors and the corresponding requests to Strata.
import { ENVIRONMENTS, WIDE, WIDE_NAMES } from './configuration.mjs';
import { effectiveQuestion, PEER_QUESTIONS, wideQuestion } from './graphql.mjs';
import { requestBytes } from './http-load.mjs';

export const ENVIRONMENT = 'production';
export const PAGE_SIZE = 100;
const READERS = 10;
/** The number of concurrent wide queries. */
const WIDE_READERS = 32;
/** The numbers of concurrent writers: one, some and many. */
const WRITERS = [1, 8, 32];
const WRITERS_OF_ONE_VALUE = 8;
/** The number of different queries that are each sent once after a write. */
const COLD_BATCH = 160;

const cycle = (items) => {
  let index = 0;
  return () => items[index++ % items.length];
};
const same = (bytes) => () => bytes;

/** Returns functions that build requests of the API as bytes, or send them and return the responses. */
export function api(url, credential, scheme = 'Api-Key') {
  const { host, port } = new URL(url);
  const headers = { authorization: `${scheme} ${credential}` };
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
export function paths({ projects, withSecrets }) {
  const [project] = projects;
  const base = `/api/v1/projects/${project.id}`;
  return {
    project,
    compact: `${base}/effective/?environment=${ENVIRONMENT}`,
    list: `${base}/parameters/?environment=${ENVIRONMENT}&page_size=${PAGE_SIZE}`,
    withSecrets: `/api/v1/projects/${withSecrets}/effective/?environment=${ENVIRONMENT}`,
    value: `${base}/parameters/${project.parameters[0].id}/values/${project.parameters[0].values[0]}/`,
  };
}

const pathsOfValues = ({ projects }) =>
  projects.flatMap(({ id, parameters }) =>
    parameters.flatMap((parameter) =>
      parameter.values.map((value) => `/api/v1/projects/${id}/parameters/${parameter.id}/values/${value}/`),
    ),
  );

let writersMade = 0;

/**
 * Returns PATCH requests for one value after the other. Each has a new text, even if another client patches the same
 * value.
 */
export function patches(core, data, paths = pathsOfValues(data)) {
  const path = cycle(paths);
  writersMade += 1;
  const writer = writersMade;
  let count = 0;
  return () => core.bytes('PATCH', path(), { internal_value: `text number ${++count} of writer ${writer}` });
}

/** Returns every query for effective configurations, each of which can be sent once after a write. */
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

/** Returns functions that create subjects, with the members that subjects of one kind share. */
function makers({ core, gateway, floors, pids, peer }) {
  const host = `127.0.0.1:${floors.port}`;
  const readOptions = { connections: READERS, status: 200 };
  return {
    floor: (key, title, path, { body, ...more } = {}) => ({
      ...readOptions,
      ...more,
      key,
      title: `floor: ${title}`,
      port: floors.port,
      pids: [pids.floors],
      next: same(requestBytes(body ? 'POST' : 'GET', path, { host, body })),
    }),
    ours: (key, title, next, more) => ({
      ...readOptions,
      key,
      title,
      port: core.port,
      pids: [pids.core],
      next,
      ...more,
    }),
    graphql: (key, title, next, more) => ({
      ...readOptions,
      ...{ key, title, port: gateway.port, pids: [pids.gateway, pids.core], next },
      ...more,
    }),
    peer: (key, title, nextQuestion, more) => ({
      ...readOptions,
      ...{ key, title: `peer: PostGraphile, ${title}`, port: peer.port, pids: [peer.child.pid] },
      next: () => requestBytes('POST', '/graphql', { host: `127.0.0.1:${peer.port}`, body: nextQuestion() }),
      ...more,
    }),
  };
}

/**
 * Returns the subjects that read one effective configuration. `write` creates a new revision, which is not measured.
 */
export function readSubjects(context) {
  const { core, data, write } = context;
  const { compact, withSecrets } = paths(data);
  const { floor, ours } = makers(context);
  const questions = allQuestions(core, data);
  let unchanged;
  async function refreshed() {
    unchanged = core.bytes('GET', compact, undefined, { 'if-none-match': (await core.ask(compact)).etag });
  }
  return [
    floor('memoryCompact', 'compact from memory', '/memory/compact'),
    floor('headCompact', 'compact from memory after a query of the head', '/head/compact'),
    floor('sqlCompact', 'compact by one SQL statement', '/sql/compact'),
    ours('compact', 'compact, unchanged', same(core.bytes('GET', compact))),
    ours('compactSecrets', 'compact, 5 of 100 values secret', same(core.bytes('GET', withSecrets))),
    ours('compactCold', 'compact, first read after a write', cycle(questions), {
      before: write,
      batch: Math.min(questions.length, COLD_BATCH),
    }),
    ours('notModified', 'compact, 304', () => unchanged, { status: 304, before: refreshed }),
  ];
}

/** Returns the subjects that read in the contract's format while nothing is written. */
export function listSubjects(context) {
  const { core, data } = context;
  const { list, value } = paths(data);
  const { floor, ours } = makers(context);
  return [
    floor('memoryList', 'list from memory', '/memory/list'),
    floor('sqlList', 'list by one SQL statement', '/sql/list'),
    floor('memoryValue', 'one value from memory', '/memory/value'),
    floor('headValue', 'one value from memory after a query of the head', '/head/value'),
    ours('list', 'contract list, nothing moved', same(core.bytes('GET', list))),
    ours('value', 'one value', same(core.bytes('GET', value))),
  ];
}

/**
 * Returns the subjects that query the gateway, and one that sends the wide query to the core directly. Omits those that
 * the services do not support.
 */
export function graphqlSubjects(context) {
  const { core, gateway, data, bodies } = context;
  const { floor, ours, graphql, peer } = makers(context);
  const again = (question) => same(gateway.bytes('POST', '/graphql', question));
  let attempt = 0;
  // The gateway stores responses by the whole body, and ignores this extension.
  const first = (question) => () =>
    gateway.bytes('POST', '/graphql', { ...question, extensions: { attempt: ++attempt } });
  const effective = effectiveQuestion(paths(data).project, ENVIRONMENT);
  const wide = wideQuestion();
  const valuesOfPeer = PEER_QUESTIONS.values(ENVIRONMENT);
  const many = { connections: WIDE_READERS };
  const storedWide = wideQuestion(WIDE.projects, 'environmentName value internalValue');
  const projects = Array.from({ length: WIDE.projects }, (_, at) => `${WIDE.prefix}${String(at + 1).padStart(2, '0')}`);
  const query = new URLSearchParams([
    ...projects.map((name) => ['project', name]),
    ...ENVIRONMENTS.map((name) => ['environment', name]),
    ...WIDE_NAMES.map((name) => ['name', name]),
  ]);
  return [
    ...(bodies.graphql === null
      ? []
      : [
          floor('memoryGraphql', 'GraphQL, 100 values from memory', '/memory/graphql', { body: effective }),
          floor('sqlGraphql', 'GraphQL, 100 values by one SQL statement', '/sql/graphql', { body: effective }),
          graphql('graphql', 'GraphQL, 100 values, first response', first(effective)),
          graphql('graphqlAgain', 'GraphQL, 100 values, repeated', again(effective)),
          peer('peerGraphql', '100 values', () => valuesOfPeer),
        ]),
    ...(bodies.wide === null
      ? []
      : [
          floor('memoryWide', 'GraphQL, 10 × 10 × 4 from memory', '/memory/wide', { ...many, body: wide }),
          floor('sqlWide', 'GraphQL, 10 × 10 × 4 by one SQL statement', '/sql/wide', { ...many, body: wide }),
          graphql('graphqlWide', 'GraphQL, 10 × 10 × 4, first response', first(wide), many),
          graphql('graphqlWideAgain', 'GraphQL, 10 × 10 × 4, repeated', again(wide), many),
          peer('peerWide', '10 × 10 × 4', () => PEER_QUESTIONS.wide, many),
          graphql('graphqlStored', 'GraphQL, 10 × 10 × 4, stored texts', first(storedWide), many),
        ]),
    ours(
      'batch',
      'effective of 10 projects in 4 environments, one call',
      same(core.bytes('GET', `/api/v1/effective/?${query}`)),
      {
        isNew: true,
      },
    ),
  ];
}

/** The number of values in the tables of the peer, which has 100 parameters in each project. */
const VALUES_OF_PEER = WIDE.projects * ENVIRONMENTS.length * 100;

/**
 * Returns the subjects that write: a single writer, several writers of different values, and several writers of one
 * value.
 */
export function writeSubjects(context) {
  const { core, data, floors, pids } = context;
  const host = `127.0.0.1:${floors.port}`;
  const id = cycle(data.projects.flatMap(({ parameters }) => parameters.flatMap(({ values }) => values)));
  const idOfPeer = cycle(Array.from({ length: VALUES_OF_PEER }, (_, index) => index + 1));
  let count = 0;
  const patchRequests = (route) => () =>
    requestBytes('PATCH', `/${route}/${id()}`, { host, body: { internal_value: `text number ${++count}` } });
  const { ours, peer } = makers(context);
  const rows = WRITERS.flatMap((connections) => {
    const who = connections === 1 ? 'one alone' : `${connections} at a time`;
    const connectionOptions = { connections, status: 200 };
    const floor = { ...connectionOptions, port: floors.port, pids: [pids.floors] };
    return [
      { ...floor, key: `update${connections}`, title: `floor: UPDATE, ${who}`, next: patchRequests('update') },
      {
        ...floor,
        key: `history${connections}`,
        title: `floor: UPDATE + history + notify, ${who}`,
        next: patchRequests('history'),
      },
      ours(`write${connections}`, `PATCH of a value, ${who}`, patches(core, data), connectionOptions),
      peer(
        `peerWrite${connections}`,
        `UPDATE of a value, ${who}`,
        () => PEER_QUESTIONS.write(idOfPeer(), `text number ${++count}`),
        connectionOptions,
      ),
    ];
  });
  const [path] = pathsOfValues(data);
  const cellOptions = { connections: WRITERS_OF_ONE_VALUE };
  return [
    ...rows,
    ours(
      'writeSame',
      `PATCH of a value, ${cellOptions.connections} at a time, all one value`,
      patches(core, data, [path]),
      cellOptions,
    ),
  ];
}

/** Returns the requests of the floor that sends notifications: `next(event)`, where each event has its own number. */
export function floorNotifications({ data, floors }) {
  const host = `127.0.0.1:${floors.port}`;
  const id = cycle(data.projects.flatMap(({ parameters }) => parameters.flatMap(({ values }) => values)));
  return (event) => {
    const body = { internal_value: `text number ${event}`, event: String(event) };
    return requestBytes('PATCH', `/notify/${id()}`, { host, body });
  };
}

/** Of 100 requests, one is a PATCH, nine read one value, and the others read a compact configuration. */
function mixRequests({ compact, value, patch }) {
  const kinds = Array.from({ length: 100 }, (_, at) => (at === 50 ? patch : at % 11 === 1 ? value : compact));
  const kind = cycle(kinds);
  return () => kind()();
}

/** Returns the same mix of reads and writes for Strata, in all projects, and for the floors that it consists of. */
export function mixedSubjects(context) {
  const { core, data, floors } = context;
  const host = `127.0.0.1:${floors.port}`;
  const { floor, ours } = makers(context);
  const id = cycle(data.projects.flatMap(({ parameters }) => parameters.flatMap(({ values }) => values)));
  const home = ({ id: project }) => `/api/v1/projects/${project}/effective/?environment=${ENVIRONMENT}`;
  let count = 0;
  const floorMix = mixRequests({
    compact: same(requestBytes('GET', '/head/compact', { host })),
    value: same(requestBytes('GET', '/head/value', { host })),
    patch: () =>
      requestBytes('PATCH', `/history/${id()}`, { host, body: { internal_value: `text number ${++count}` } }),
  });
  const mix = mixRequests({
    compact: cycle(data.projects.map((project) => core.bytes('GET', home(project)))),
    value: cycle(pathsOfValues(data).map((path) => core.bytes('GET', path))),
    patch: patches(core, data),
  });
  return [
    { ...floor('floorMixed', '90 % compact, 9 % one value, 1 % history', ''), next: floorMix },
    ours('mixed', '90 % compact, 9 % one value, 1 % PATCH', mix),
  ];
}
