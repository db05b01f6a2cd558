import type { Difference, DifferenceCell, Differences, Environment, Parameter } from '@strata/contract';
import type { RawClient, RunningCore } from '@strata/testkit';

/** Must not occur in any response. */
export const SECRET = 'canary-never-compared';

/**
 * Creates a shop with different values in staging and production, and a second project with some of the same names.
 */
export async function createDifferingShop(core: RunningCore) {
  const organization = await core.organization();
  const { owner } = organization;
  const [root, staging, production] = [
    await organization.environmentNamed('default'),
    await organization.environmentNamed('staging'),
    await organization.environmentNamed('production'),
  ];
  const base = await organization.project({ name: 'base' });
  const project = await organization.project({ name: 'shop', depends_on: base.url });
  const createParameter = (name: string, extraFields = {}) => organization.parameter({ project, name, ...extraFields });
  const set = (parameter: Parameter, environment: Environment, internal_value: string | null, extraFields = {}) =>
    organization.value({ parameter, environment, internal_value, ...extraFields });

  const region = await organization.parameter({ project: base, name: 'region', description: 'Where.' });
  await set(region, root, 'eu');
  await set(region, staging, 'us');
  const port = await createParameter('port', { type: 'integer' });
  await set(port, staging, '8080');
  const liveValue = await set(port, production, '443');
  const sameParameter = await createParameter('same');
  await set(sameParameter, root, 'everywhere');
  const password = await createParameter('password', { secret: true });
  await set(password, staging, SECRET);
  await set(password, production, SECRET);
  const link = await createParameter('link');
  await set(link, root, '{{ region }}:{{ port }}', { interpolated: true });
  const onlyParameter = await createParameter('only');
  await set(onlyParameter, production, 'there');
  const missingParameter = await createParameter('nothing');
  await set(missingParameter, staging, null);

  const path = `${project.url}compare/`;
  const read = async (query: string, client: RawClient = owner) => (await client.get<Differences>(path + query)).body;
  return {
    organization,
    owner,
    root,
    staging,
    production,
    base,
    project,
    region,
    port,
    live: liveValue,
    only: onlyParameter,
    path,
    read,
  };
}

export const findDifference = ({ results }: Differences, name: string): Difference => {
  const difference = results.find((row) => row.name === name);
  if (!difference) throw new Error(`${name} does not differ.`);
  return difference;
};
export const findOnlyCell = (differences: Differences, name: string): DifferenceCell => {
  const [cell, ...otherCells] = findDifference(differences, name).cells;
  if (!cell || otherCells.length > 0) throw new Error(`${name} differs in ${otherCells.length + 1} columns.`);
  return cell;
};
export const listDifferingNames = ({ results }: Differences) => results.map(({ name }) => name);
