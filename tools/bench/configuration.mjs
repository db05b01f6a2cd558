// Creates the configuration that the bench measures through the API: projects with a hundred parameters each, and a
// value in each of four environments.
import { connect } from '../seed/client.mjs';

const SUBSYSTEMS = [
  'AUDIT',
  'BROKER',
  'CACHE',
  'DATABASE',
  'GATEWAY',
  'LOGGING',
  'MAIL',
  'METRICS',
  'SEARCH',
  'STORAGE',
];
const SETTINGS = [
  ['ADDRESS', (place) => `${place}.internal:8443`],
  ['CONNECTIONS_MAX', (_, at) => String(20 + at)],
  ['ENDPOINT', (place) => `https://${place}.example.net/v2`],
  ['FEATURES', () => 'compression,keepalive,tracing'],
  ['LOG_LEVEL', (_, at) => ['debug', 'info', 'warn', 'error'][at % 4]],
  ['PATH_PREFIX', (place) => `/srv/${place}/data`],
  ['RETRIES', (_, at) => String(at % 7)],
  ['TIMEOUT_MS', (_, at) => String(1_000 + 250 * (at % 9))],
  ['USER', (place) => `svc-${place}`],
  ['VERSION', (_, at) => `2026.${1 + (at % 12)}.${at}`],
];
export const ENVIRONMENTS = ['default', 'development', 'production', 'staging'];
/**
 * The numbers of projects and parameters that the wide query reads; the projects have a hundred parameters each. The
 * names of these projects sort before all others.
 */
export const WIDE = { projects: 10, parameters: 10, prefix: 'application-' };
/** The parameters that every project has, in the order of the settings. */
const NAMES = SUBSYSTEMS.flatMap((subsystem) => SETTINGS.map(([setting, text]) => [`${subsystem}_${setting}`, text]));
/** The names of the parameters that the wide query reads. */
export const WIDE_NAMES = NAMES.map(([name]) => name)
  .toSorted()
  .slice(0, WIDE.parameters);
/** The parameters of the project with secrets. Every twentieth is secret. */
const WITH_SECRETS = { parameters: 100, secretEvery: 20 };
/** The number of concurrent writes. Writes of one organization run one after the other, so more would only queue. */
const AT_A_TIME = 6;

async function forEachConcurrently(items, work) {
  const waiting = [...items.entries()];
  const worker = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await work(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, worker));
}

/**
 * Creates all projects, or as many as the time allows, but at least one. Calls `tell(done, all)` after each project.
 */
export async function load(url, apiKey, { projects: projectCount, loadMs }, tell) {
  const until = performance.now() + loadMs;
  const api = connect(url, apiKey);
  const rows = await api.all('/api/v1/environments/');
  const environments = ENVIRONMENTS.map((name) => ({ name, id: rows.find((row) => row.name === name).id }));
  const projects = [];
  let writes = 0;
  const post = (path, body) => {
    writes += 1;
    return api.post(path, body);
  };
  await loadWide(post);
  const withSecrets = await loadSecrets(post, environments[0], NAMES.slice(0, WITH_SECRETS.parameters));
  for (let number = 1; number <= projectCount && (number === 1 || performance.now() < until); number += 1) {
    const name = `service-${String(number).padStart(2, '0')}`;
    const { id } = await post('/api/v1/projects/', { name, description: `Configuration of ${name}` });
    const parameters = [];
    await forEachConcurrently(NAMES, async ([parameter, text], at) => {
      const list = `/api/v1/projects/${id}/parameters/`;
      const description = `What ${name} uses as ${parameter.toLowerCase().replaceAll('_', ' ')}`;
      const created = await post(list, { name: parameter, description });
      const values = [];
      for (const environment of environments) {
        const place = `${parameter.split('_')[0].toLowerCase()}-${name}-${environment.name}`;
        const body = { environment: environment.id, internal_value: text(place, at) };
        values.push((await post(`${list}${created.id}/values/`, body)).id);
      }
      parameters[at] = { id: created.id, values };
    });
    projects.push({ id, name, parameters });
    tell(number, projectCount);
  }
  return { projects, withSecrets, environments, writes };
}

/**
 * Creates projects whose values are partly inherited: each parameter has one in `default`, and every other one also in
 * `production`.
 */
async function loadWide(post) {
  const numbers = Array.from({ length: WIDE.projects }, (_, at) => String(at + 1).padStart(2, '0'));
  await forEachConcurrently(numbers, async (number) => {
    const name = `${WIDE.prefix}${number}`;
    await post('/api/v1/projects/', { name, description: `Configuration of ${name}` });
    const setIn = (environment, settings) => {
      const values = settings.map(([parameter, text], at) => [parameter, text(`${name}-${environment}`, at)]);
      return { set: { project: name, environment, values: Object.fromEntries(values), create_missing: true } };
    };
    const overridden = NAMES.filter((_, at) => at % 2);
    await post('/api/v1/changesets/', { operations: [setIn('default', NAMES), setIn('production', overridden)] });
  });
}

/** Creates the project with secrets, with one value for each parameter. Returns its id. */
async function loadSecrets(post, environment, names) {
  const { id } = await post('/api/v1/projects/', { name: 'with-secrets' });
  const list = `/api/v1/projects/${id}/parameters/`;
  await forEachConcurrently(names, async ([name, text], at) => {
    const created = await post(list, { name, secret: at % WITH_SECRETS.secretEvery === 0 });
    await post(`${list}${created.id}/values/`, {
      environment: environment.id,
      internal_value: text('with-secrets', at),
    });
  });
  return id;
}
