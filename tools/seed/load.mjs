// Loads the sample platform into an organization through the REST API. The console defines the content and the order,
// so that `npm run seed` and the button in the browser create the same platform.
import { loadPlatform } from '../../apps/console/src/features/first-run/sample-platform/load-platform.ts';
import { samplePlatform } from '../../apps/console/src/features/first-run/sample-platform/platform.ts';

const API = '/api/v1';
const idsByName = (rows) => new Map(rows.map(({ name, id }) => [name, id]));
const names = (rows) => new Set(rows.map(({ name }) => name));

/** Names of the environments in which a parameter itself has a value. */
function setIn({ id, values }, environmentNames) {
  const own = Object.values(values).filter((value) => value?.parameter_id === id);
  return new Set(own.map((value) => environmentNames.get(value.environment_id)));
}

function doorOf(api) {
  const environments = async () => idsByName(await api.all(`${API}/environments/`));
  return {
    environments,
    projects: async () => idsByName(await api.all(`${API}/projects/`)),
    async types() {
      const rows = await api.all(`${API}/types/`);
      return new Map(rows.map(({ name, id, rules }) => [name, { id, rules: new Set(rules.map(({ type }) => type)) }]));
    },
    async parametersOf(projectId) {
      const list = `${API}/projects/${projectId}/parameters/?immediate_parameters=true&mask_secrets=true`;
      const [rows, ids] = await Promise.all([api.all(list), environments()]);
      const environmentNames = new Map([...ids].map(([name, id]) => [id, name]));
      return new Map(rows.map((row) => [row.name, { id: row.id, setIn: setIn(row, environmentNames) }]));
    },
    templatesOf: async (projectId) => names(await api.all(`${API}/projects/${projectId}/templates/`)),
    webhooks: async () => names(await api.all(`${API}/webhooks/`)),
    apply: (message, operations) => api.post(`${API}/changesets/`, { message, operations }),
  };
}

/**
 * Loads an organization, by default the whole platform, and returns the number of created objects.
 * Calls `tell(what, holds, created)` after each part.
 */
export function load(api, tell, platform = samplePlatform) {
  return loadPlatform(doorOf(api), platform, ({ title, holds, created }) => tell(title, holds, created));
}
