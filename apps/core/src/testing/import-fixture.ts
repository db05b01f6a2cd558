import type { ImportParameter, ImportResponse } from '@strata/contract';
import type { RunningCore, TestOrganization } from '@strata/testkit';

export const importBody = (input: object) => ({
  project: 'p',
  environment: 'dev',
  body: '',
  secrets: [],
  ignore: [],
  ...input,
});

export async function importParameters(
  organization: TestOrganization,
  input: object,
  query = '',
): Promise<readonly ImportParameter[]> {
  const response = await organization.owner.post<ImportResponse>(`import/${query}`, importBody(input));
  expect([response.status, response.status === 201 ? '' : response.text]).toEqual([201, '']);
  return response.body.parameter;
}

export const toActionsByName = (entries: readonly ImportParameter[]) =>
  Object.fromEntries(entries.map(({ parameter_name: name, action }) => [name, action]));

export async function readRevision({ owner }: TestOrganization): Promise<string | undefined> {
  return (await owner.get('projects/')).headers['x-revision'];
}

/** Creates the example H10: A is 1 in default, and dev is below default. */
export async function createImportFixture(core: RunningCore) {
  const organization = await core.organization();
  const project = await organization.project({ name: 'p' });
  const dev = await organization.environment({ name: 'dev' });
  const a = await organization.parameter({ project, name: 'A' });
  await organization.value({ parameter: a, internal_value: '1' });
  return { organization, project, dev, a };
}
