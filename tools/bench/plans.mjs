// npm run bench -- --plans: measures how long writers wait while other callers of their organization request plans, one
// after the other.
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../seed/client.mjs';
import { Connection } from './http-load.mjs';
import { api } from './subjects.mjs';

const PARAMETERS = 100;
const WRITERS = 4;
const QUIET_MS = 8_000;
const LOAD_MS = 15_000;
const SETTLE_MS = 2_000;
const PAUSE_MS = 5;

async function prepared(url, apiKey) {
  const client = connect(url, apiKey);
  const base = await client.post('/api/v1/projects/', { name: 'base' });
  const project = await client.post('/api/v1/projects/', { name: 'web', depends_on: base.url });
  const names = Array.from({ length: PARAMETERS }, (_, n) => `P${n}`);
  const values = Object.fromEntries(names.map((name) => [name, 'text']));
  for (const place of ['base', 'web']) {
    const set = { project: place, environment: 'default', values, create_missing: true };
    await client.post('/api/v1/changesets/', { operations: [{ set }] });
  }
  const parameters = await client.all(`/api/v1/projects/${project.id}/parameters/?environment=default`);
  const paths = parameters.flatMap(({ values: valueMap }) =>
    Object.values(valueMap).map(({ url: value }) => new URL(value).pathname),
  );
  return { base, project, names, paths, baseParameters: await client.all(`/api/v1/projects/${base.id}/parameters/`) };
}

/** Returns a plan of a hundred operations: each sets one value, or one operation sets all of them by name. */
function buildPlans({ base, own, names }, environments) {
  const staging = environments.find(({ name }) => name === 'staging').url;
  const singles = own.slice(0, PARAMETERS).map(({ id }) => ({
    operation: 'projects_parameters_values_create',
    path: { project_pk: base.id, parameter_pk: id },
    body: { environment: staging, internal_value: 'planned' },
  }));
  const values = Object.fromEntries(names.map((name) => [name, 'planned']));
  return { singles, names: [{ set: { project: 'base', environment: 'staging', values } }] };
}

/** Returns the milliseconds of each write. Several writers send one write after the other. */
async function writes(core, paths, ms) {
  const waits = [];
  const until = performance.now() + ms;
  const writer = async (n) => {
    const connection = await Connection.open(core.port);
    for (let at = n; performance.now() < until; at += WRITERS) {
      const request = core.bytes('PATCH', paths[at % paths.length], { internal_value: `text ${at} of ${n}` });
      const startedAt = performance.now();
      const { status } = await connection.ask(request);
      if (status === 200) waits.push(performance.now() - startedAt);
      await sleep(PAUSE_MS);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: WRITERS }, (_, n) => writer(n)));
  const sorted = waits.toSorted((left, right) => left - right);
  const part = (fraction) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))];
  return { count: sorted.length, p50: part(0.5), p99: part(0.99), max: sorted.at(-1) };
}

async function planner(url, apiKey, operations, isOver) {
  const waits = [];
  const statuses = {};
  while (!isOver()) {
    const startedAt = performance.now();
    const answer = await fetch(`${url}/api/v1/changesets/plan/`, {
      method: 'POST',
      headers: { authorization: `Api-Key ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ operations }),
    });
    const { totals } = await answer.json();
    const key = `${answer.status}${totals ? ` with ${totals.effective_changes} changes` : ''}`;
    statuses[key] = (statuses[key] ?? 0) + 1;
    waits.push(performance.now() - startedAt);
  }
  const sorted = waits.toSorted((left, right) => left - right);
  return { count: waits.length, p50: sorted[Math.floor(waits.length / 2)], max: sorted.at(-1), statuses };
}

export async function measurePlans(stage, say) {
  await stage.startServices();
  const url = stage.env.STRATA_CORE_URL;
  say(`Making projects of ${PARAMETERS} parameters`);
  const data = await prepared(url, stage.apiKey);
  const core = api(url, stage.apiKey);
  const environments = await connect(url, stage.apiKey).all('/api/v1/environments/');
  await writes(core, data.paths, SETTLE_MS);
  say('Measuring writers alone …');
  const rows = { alone: await writes(core, data.paths, QUIET_MS) };
  const plans = {};
  for (const [kind, operations] of Object.entries(buildPlans(data, environments))) {
    say(`Measuring writers beside plans of a hundred ${kind} …`);
    let isOver = false;
    const planning = planner(url, stage.apiKey, operations, () => isOver);
    rows[kind] = await writes(core, data.paths, LOAD_MS);
    isOver = true;
    plans[kind] = await planning;
  }
  return { rows, plans };
}

export function renderPlans({ rows, plans }) {
  const line = (name, { count, p50, p99, max }) =>
    `${name.padEnd(42)}${String(count).padStart(7)}${[p50, p99, max].map((ms) => ms.toFixed(1).padStart(9)).join('')}`;
  return [
    `ms of a PATCH, ${WRITERS} writers${' '.repeat(21)}count      p50      p99      max`,
    line('alone', rows.alone),
    line('writers go on beside plans: 100 operations', rows.singles),
    line('writers go on beside plans: 100 names', rows.names),
    ...Object.entries(plans).map(
      ([kind, { count, p50, max, statuses }]) =>
        `plans of 100 ${kind}: ${count}, p50 ${p50.toFixed(0)} ms, max ${max.toFixed(0)} ms, ${JSON.stringify(statuses)}`,
    ),
  ].join('\n');
}
