import type { Environment, Matrix, MatrixCell, MatrixName, Parameter } from '@strata/contract';
import type { RawClient, Reply, RunningCore } from '@strata/testkit';

/** Must not occur in any response. */
export const SECRET = 'canary-never-shown';

/** Creates `shop`, which depends on `base`; canary inherits from production. Every possible state of a cell occurs. */
export async function matrixShop(core: RunningCore) {
  const organization = await core.organization();
  const { owner } = organization;
  const [root, production] = [
    await organization.environmentNamed('default'),
    await organization.environmentNamed('production'),
  ];
  const canary = await organization.environment({ name: 'canary', parent: production.url });
  const base = await organization.project({ name: 'base' });
  const project = await organization.project({ name: 'shop', depends_on: base.url });
  const createParameter = (name: string, extraFields = {}) =>
    organization.parameter({ project, name, description: `About ${name}.`, ...extraFields });
  const set = (parameter: Parameter, environment: Environment, internal_value: string | null, extraFields = {}) =>
    organization.value({ parameter, environment, internal_value, ...extraFields });

  const region = await organization.parameter({ project: base, name: 'region' });
  await set(region, root, 'eu');
  await set(region, production, 'us');
  const port = await createParameter('port', { type: 'integer' });
  await set(port, root, '80');
  const liveValue = await set(port, production, '443');
  await set(port, canary, '443');
  const password = await createParameter('password', { secret: true });
  await set(password, root, SECRET);
  await set(password, production, SECRET);
  const link = await createParameter('link');
  await set(link, root, 'http://{{ region }}:{{ port }}', { interpolated: true });
  const login = await createParameter('login');
  await set(login, root, 'user:{{ password }}', { interpolated: true });
  const proxy = await createParameter('proxy');
  await set(proxy, root, 'proxy:3128');
  await set(proxy, production, null);
  await createParameter('unset');
  const lease = await createParameter('lease', { expires: 'P30D' });
  const leaseValue = await set(lease, root, 'soon');

  const path = `${project.url}matrix/`;
  const read = async (query = '', client: RawClient = owner) => (await client.get<Matrix>(path + query)).body;
  return {
    organization,
    owner,
    root,
    production,
    canary,
    base,
    project,
    port,
    live: liveValue,
    leased: leaseValue,
    path,
    read,
  };
}

export const findName = ({ results }: Matrix, name: string): MatrixName => {
  const row = results.find((row) => row.name === name);
  if (!row) throw new Error(`The matrix has no ${name}.`);
  return row;
};
/** Returns the cell of a name in an environment. */
export const findCell = (matrix: Matrix, name: string, environment: string): MatrixCell => {
  const cell = findName(matrix, name).cells[matrix.environments.findIndex((column) => column.name === environment)];
  if (!cell) throw new Error(`The matrix has no ${environment}.`);
  return cell;
};
export const listNames = ({ results }: Matrix) => results.map(({ name }) => name);
export const statusAndDetail = ({ status, body }: Reply) => [status, (body as { detail?: string }).detail];
