import type { Environment, Page, Parameter, Project, Template } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';

interface TextInput {
  readonly text: string | null;
  readonly literal?: boolean;
  readonly environment?: Environment;
  readonly secret?: boolean;
  readonly type?: string;
}

/** Creates a parameter with one value, which is dynamic by default. */
export async function setText(organization: TestOrganization, project: Project, name: string, input: TextInput) {
  const { text, literal = false, environment, secret = false, type = 'string' } = input;
  const parameter = await organization.parameter({ project, name, secret, type });
  const value = await organization.value({
    parameter,
    internal_value: text,
    interpolated: !literal,
    ...(environment && { environment }),
  });
  return { parameter, value };
}

/** Returns the effective value in an environment, as a list of parameters shows it. */
export async function readValue(
  organization: TestOrganization,
  project: Project,
  name: string,
  environment: string,
  query = '',
) {
  const { body } = await organization.owner.get<Page<Parameter>>(
    `${project.url}parameters/?name=${name}&environment=${environment}${query}`,
  );
  const value = Object.values(body.results[0]?.values ?? {})[0];
  if (!value) throw new Error(`${name} has no value in ${environment}.`);
  return value;
}

export async function template(
  organization: TestOrganization,
  project: Project,
  input: { readonly name: string; readonly body?: string },
): Promise<Template> {
  const response = await organization.owner.post<Template>(`${project.url}templates/`, input);
  if (response.status !== 201) throw new Error(response.text);
  return response.body;
}
