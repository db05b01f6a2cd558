import type { Page, ParameterType, ParameterTypeRule } from '@strata/contract';
import type { Reply, TestOrganization } from '@strata/testkit';

export async function fetchType({ owner }: TestOrganization, name: string): Promise<ParameterType> {
  const { body } = await owner.get<Page<ParameterType>>(`types/?name=${name}`);
  return body.results[0] as ParameterType;
}

/** Creates types, each a child of the previous one; the first is a child of an existing type. */
export async function createTypeChain(
  organization: TestOrganization,
  top: string,
  ...names: string[]
): Promise<ParameterType[]> {
  const types = [await fetchType(organization, top)];
  for (const name of names) {
    const { body } = await organization.owner.post<ParameterType>('types/', { name, parent: types.at(-1)?.url });
    types.push(body);
  }
  return types.slice(1);
}

export async function createTypeBelow(
  organization: TestOrganization,
  parent: string,
  name: string,
): Promise<ParameterType> {
  return (await createTypeChain(organization, parent, name))[0] as ParameterType;
}

/** The members that rules of types and rules of parameters share. */
type EitherRule = Omit<ParameterTypeRule, 'parameter_type'>;

/** Creates a rule of a type or of a parameter, and returns it. */
export function rule(
  organization: TestOrganization,
  owner: { readonly url: string },
  type: string,
  constraint: unknown,
): Promise<Reply<EitherRule>> {
  return organization.owner.post<EitherRule>(`${owner.url}rules/`, { type, constraint });
}

/** Returns the status and the error code of a response. */
export const statusAndCode = ({ status, headers }: Reply) => `${status} ${headers['x-error-code']}`;
