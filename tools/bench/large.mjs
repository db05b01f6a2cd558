// npm run bench -- --large: measures requests that write, plan or search thousands of objects, beside SQL statements that
// do the minimum for as many rows.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { connect, RequestError } from '../seed/client.mjs';
import { INSERT_MANY, prepareDatabase, UPDATE_MANY_WITH_HISTORY } from './floor-writes.mjs';
import {
  NAMES_SEARCH,
  plantSearched,
  SEARCHED_ENVIRONMENTS,
  SEARCHED_PARAMETERS,
  VALUES_SEARCH,
} from './search-project.mjs';

const NAMES = 5_000;
/** The maximum number of names of one import. */
const IMPORTED = 2_000;
const OPERATIONS_MAX = 1_000;
const ROUNDS = 3;
/** Returns the median milliseconds of several calls. */
async function timed(call, rounds = ROUNDS) {
  const all = [];
  for (let round = 0; round < rounds; round += 1) {
    const started = performance.now();
    await call(round);
    all.push(performance.now() - started);
  }
  return all.toSorted((left, right) => left - right)[rounds >> 1];
}

const range = (count) => Array.from({ length: count }, (_, n) => n);

/** Imports new parameters, each time into another project. The floor inserts as many pairs of rows. */
async function imports({ client, database }) {
  const body = range(IMPORTED)
    .map((n) => `P${n}=text ${n}`)
    .join('\n');
  const projects = [];
  for (const round of range(ROUNDS)) projects.push(await client.post('/api/v1/projects/', { name: `import ${round}` }));
  const ms = await timed((round) => {
    const input = { project: projects[round].name, environment: 'default', body, secrets: [], ignore: [] };
    return client.post('/api/v1/import/', input);
  });
  const rows = () => JSON.stringify(range(IMPORTED).map((n) => ({ input_id: randomUUID(), input_text: `text ${n}` })));
  return { ms, floorMs: await timed(() => database.query(INSERT_MANY, [rows()])) };
}

/** Creates a project with a value for each name. */
async function projectWithValues({ client }) {
  const project = await client.post('/api/v1/projects/', { name: 'large' });
  const values = Object.fromEntries(range(NAMES).map((n) => [`P${n}`, 'text']));
  const set = { project: project.name, environment: 'default', values, create_missing: true };
  await client.post('/api/v1/changesets/', { operations: [{ set }] });
  return project;
}

/** Returns the operations for one value each, with another text in each round. */
const singles = (values, count) => (round) =>
  values.slice(0, count).map(({ url }, n) => {
    const [, project, parameter, value] = /projects\/([^/]+)\/parameters\/([^/]+)\/values\/([^/]+)\//.exec(url);
    return {
      operation: 'projects_parameters_values_partial_update',
      path: { project_pk: project, parameter_pk: parameter, id: value },
      body: { internal_value: `round ${round} ${n}` },
    };
  });

const setByName = (project) => (round) => {
  const values = Object.fromEntries(range(NAMES).map((n) => [`P${n}`, `round ${round} by name ${n}`]));
  return [{ set: { project: project.name, environment: 'default', values } }];
};

/** Measures changesets and plans of several sizes. Their floor updates as many rows; that of a plan rolls back. */
async function changes({ client, database, say }, project) {
  const parameters = await client.all(`/api/v1/projects/${project.id}/parameters/?environment=default`);
  const values = parameters.flatMap(({ values: valueMap }) => Object.values(valueMap));
  const { rows: floor } = await database.query('select id from bench_value limit $1', [NAMES]);
  const update = (count) => {
    const text = JSON.stringify(floor.slice(0, count).map(({ id }, n) => ({ input_id: id, input_text: `text ${n}` })));
    return database.query(UPDATE_MANY_WITH_HISTORY, [text]);
  };
  const rolledBack = async (count) => {
    await database.query('begin');
    await update(count);
    await database.query('rollback');
  };
  const results = {};
  const measured = async (name, path, operationsOf, floorOf) => {
    say(`Measuring ${name} …`);
    let rejectedCount = 0;
    const ms = await timed((round) =>
      client.post(path, { operations: operationsOf(round) }).catch((error) => {
        if (!(error instanceof RequestError)) throw error;
        rejectedCount += 1;
      }),
    );
    results[name] = { ms, floorMs: await timed(floorOf), rejectedCount };
  };
  for (const count of [100, OPERATIONS_MAX]) {
    const operations = singles(values, count);
    await measured(`plan of ${count} operations`, '/api/v1/changesets/plan/', operations, () => rolledBack(count));
  }
  const all = singles(values, OPERATIONS_MAX);
  await measured(`changeset of ${OPERATIONS_MAX} operations`, '/api/v1/changesets/', all, () => update(OPERATIONS_MAX));
  const byName = setByName(project);
  await measured(`plan of ${NAMES} values by name`, '/api/v1/changesets/plan/', byName, () => rolledBack(NAMES));
  await measured(`changeset of ${NAMES} values by name`, '/api/v1/changesets/', byName, () => update(NAMES));
  return results;
}

/** The searches to compare: what the request searches, and the statement that reads as much. */
const SEARCHES = [
  ['of one name', { in: 'name,description' }, (round) => `setting_99${round}`, NAMES_SEARCH],
  ['of all names', { in: 'name,description' }, (round) => 'setting'.slice(round), NAMES_SEARCH],
  ['of values', { in: 'value' }, (round) => `Service-99${round}`, VALUES_SEARCH],
  ['of all values', { in: 'value' }, (round) => '.internal/v'.slice(round), VALUES_SEARCH],
  ['for a pattern', { in: 'name', match: 'regex' }, (round) => `^SETTING_99${round}$`, NAMES_SEARCH],
];

/** Measures searches in one project, as the console sends them. The core has read nothing of it before the first one. */
async function searches({ client, database }) {
  await plantSearched(database);
  const results = {};
  for (const [name, where, textOf, statement] of SEARCHES) {
    const search = async (round) => {
      const query = new URLSearchParams({
        ignore_case: 'true',
        wins_max: '4',
        ...where,
        q: textOf(round),
        page_size: '50',
      });
      let page = await client.get(`/api/v1/search/?${query}`);
      while (page.results.length === 0 && page.next)
        page = await client.get(new URL(page.next).pathname + new URL(page.next).search);
      if (page.results.length === 0) throw new Error(`The search ${name} found nothing.`);
    };
    const floorMs = await timed((round) => database.query(statement, [`%${textOf(round).replaceAll(/[$^]/g, '')}%`]));
    results[`first search ${name}`] = { ms: await timed(() => search(0), 1), floorMs };
    // Differs in each round, because the core keeps responses.
    results[`later searches ${name}`] = { ms: await timed((round) => search(round + 1)), floorMs };
  }
  return results;
}

export async function measureLarge(stage, say) {
  await stage.startServices();
  const database = new pg.Client({ connectionString: stage.postgres.url() });
  await database.connect();
  const context = {
    client: connect(stage.env.STRATA_CORE_URL, stage.apiKey),
    database,
    say,
  };
  try {
    const project = await projectWithValues(context);
    await prepareDatabase(stage.postgres.url());
    say(`Importing ${IMPORTED} values …`);
    const imported = await imports(context);
    const rows = { [`import of ${IMPORTED} new parameters`]: imported, ...(await changes(context, project)) };
    say(`Searching ${SEARCHED_PARAMETERS} parameters in ${SEARCHED_ENVIRONMENTS} environments …`);
    return { ...rows, ...(await searches(context)) };
  } finally {
    await database.end();
  }
}

export function renderLarge(rows) {
  const line = ([name, { ms, floorMs, rejectedCount = 0 }]) => {
    const cells = [ms.toFixed(0), floorMs.toFixed(0), (ms / floorMs).toFixed(1)].map((cell) => cell.padStart(8));
    return [name.padEnd(60), ...cells, rejectedCount > 0 ? `  ${rejectedCount} of ${ROUNDS} were rejected` : ''].join(
      '',
    );
  };
  return [`${'median ms'.padEnd(60)}  Strata     SQL   ratio`, ...Object.entries(rows).map(line)].join('\n');
}
