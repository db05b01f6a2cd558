// npm run bench -- --reverts: measures how long it takes to plan a revert, to apply it, and to list everything that
// prevents one.
import { connect } from '../seed/client.mjs';

const SIZES = { objects: [5_000, 10_000, 15_000, 20_000], faults: [1_000, 2_500, 5_000] };
/** The number of names that one request sets without exceeding a limit. */
const PART = 2_500;
const OPERATIONS = 1_000;

async function sendPost(url, apiKey, path, body) {
  const began = performance.now();
  const answer = await fetch(`${url}/api/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Api-Key ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const responseBody = await answer.json();
  return { ms: performance.now() - began, status: answer.status, body: responseBody };
}

const parts = (list, size) =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, n) => list.slice(n * size, (n + 1) * size));
const changeset = (client, operations) => client.post('/api/v1/changesets/', { operations });

async function setAll(client, project, names, text) {
  for (const part of parts(names, PART)) {
    const values = Object.fromEntries(part.map((name) => [name, text]));
    await changeset(client, [{ set: { project, environment: 'default', values, create_missing: true } }]);
  }
}

const createNames = (count) => Array.from({ length: count }, (_, n) => `P${n}`);

/**
 * Measures the revert of the deletion of a project with many objects: the plan, the revert by its hash, and the revert
 * of that revert.
 */
async function broughtBack(client, ask, objects) {
  const name = `of-${objects}`;
  const { id } = await client.post('/api/v1/projects/', { name });
  await setAll(client, name, createNames(Math.floor((objects - 1) / 2)), 'text');
  const { revision } = await changeset(client, [{ operation: 'projects_destroy', path: { id } }]);
  const plan = await ask(`changesets/${revision}/revert/plan/`, {});
  const planned = await ask(`changesets/${revision}/revert/`, { plan_hash: plan.body.plan_hash });
  const back = planned.status === 201 ? planned : await ask(`changesets/${revision}/revert/`, {});
  const undoing = await ask(`changesets/${back.body.revision}/revert/plan/`, {});
  const undone = await ask(`changesets/${back.body.revision}/revert/`, {});
  return { plan, planned, back, undoing, undone };
}

/** Measures a revert of many values, each rejected because its old text no longer matches the type. */
async function atFault(client, ask, count) {
  const name = `faults-${count}`;
  const project = await client.post('/api/v1/projects/', { name });
  const names = createNames(count);
  await setAll(client, name, names, 'no number');
  const values = Object.fromEntries(names.map((parameterName) => [parameterName, '1']));
  const { revision } = await changeset(client, [{ set: { project: name, environment: 'default', values } }]);
  const [{ url: environment }] = (await client.all('/api/v1/environments/?name=default')) ?? [];
  for (const part of parts(names, OPERATIONS / 2)) {
    const operations = part.flatMap((parameterName) => [
      {
        operation: 'projects_parameters_create',
        as: parameterName,
        path: { project_pk: project.id },
        body: { name: `N-${parameterName}`, type: 'integer' },
      },
      {
        operation: 'projects_parameters_values_create',
        path: { project_pk: project.id, parameter_pk: { $ref: parameterName } },
        body: { environment, internal_value: `{{ ${parameterName} }}`, interpolated: true },
      },
    ]);
    const changesetResponse = await ask('changesets/', { operations });
    if (changesetResponse.status !== 201)
      throw new Error(`${changesetResponse.status}: ${JSON.stringify(changesetResponse.body).slice(0, 500)}`);
  }
  const rejectedRevert = await ask(`changesets/${revision}/revert/`, {});
  const plan = await ask(`changesets/${revision}/revert/plan/`, {});
  return { rejectedRevert, plan };
}

export async function measureReverts(stage, say, sizes = SIZES) {
  await stage.startServices();
  const url = stage.env.STRATA_CORE_URL;
  const client = connect(url, stage.apiKey);
  const ask = (path, body) => sendPost(url, stage.apiKey, path, body);
  const rows = [];
  const note = (what, { ms, status, body }) => {
    const why = body.detail ?? '';
    const count = body.totals?.changes ?? body.change_count ?? body.conflicts?.length;
    rows.push({ what, ms, status, count, why: status < 300 ? '' : why.slice(0, 60) });
    say(`${what}: ${status}, ${Math.round(ms)} ms`);
  };
  for (const objects of sizes.objects) {
    const { plan, planned, back, undoing, undone } = await broughtBack(client, ask, objects);
    note(`plan to bring ${objects} objects back`, plan);
    note('  the revert by its hash', planned);
    if (back !== planned) note('  the revert without one', back);
    note('  plan to take that back', undoing);
    note('  taking that back', undone);
  }
  for (const count of sizes.faults) {
    const { rejectedRevert, plan } = await atFault(client, ask, count);
    note(`revert of ${count} names that are all at fault`, rejectedRevert);
    note('  its plan', plan);
  }
  return rows;
}

export function renderReverts(rows) {
  return [
    `${'ms'.padEnd(46)}${'status'.padStart(7)}${'ms'.padStart(9)}${'told'.padStart(8)}`,
    ...rows.map(
      ({ what, ms, status, count = '', why }) =>
        `${what.padEnd(46)}${String(status).padStart(7)}${ms.toFixed(0).padStart(9)}${String(count).padStart(8)}  ${why}`,
    ),
  ].join('\n');
}
