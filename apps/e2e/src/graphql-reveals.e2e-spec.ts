import type { Page, Parameter, Project, ServiceAccountCreated, Template, Value } from '@strata/contract';
import type { TestOrganization } from '@strata/testkit';
import { type GraphQLFixture, sharedGraphQL } from './graphql-access.ts';

let stack: GraphQLFixture;
let organization: TestOrganization;
let project: Project;
let parameter: Parameter;

beforeAll(async () => {
  stack = await sharedGraphQL();
});
beforeEach(async () => {
  organization = await stack.organization();
  project = await organization.project({ name: 'shop' });
  parameter = await organization.parameter({ project, name: 'TOKEN', secret: true });
  await organization.value({ parameter, internal_value: 'hunter2' });
});

const send = (query: string, variables: object = {}) =>
  stack.request(query, { p: project.id, id: parameter.id, ...variables }, organization.ownerAuthorization);

interface Shown {
  readonly action: string;
  readonly objectType: string;
  readonly objectName: string;
  readonly user: { readonly name: string };
}

const RECORDS = `{ audit(accessLog: true, first: 200) { edges { node { action objectType objectName user { name } } } } }`;

async function reveals(): Promise<readonly Shown[]> {
  const { data } = await send(RECORDS);
  const records: readonly Shown[] = data.audit.edges.map(({ node }: { node: Shown }) => node);
  return records.filter(({ action }) => action === 'reveal');
}

async function revealed(): Promise<readonly Shown[]> {
  for (const end = Date.now() + 15_000; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const recordedReveals = await reveals();
    if (recordedReveals.length > 0) return recordedReveals;
  }
  throw new Error('Nobody was recorded.');
}

const EXPLAIN = `query ($p: ID!, $reveal: Boolean!) {
  explain(projectId: $p, environmentId: "production", name: "TOKEN", reveal: $reveal) { winner { value } }
}`;

describe('a secret that is revealed over GraphQL', () => {
  it('is audited by the name of its parameter', async () => {
    const { data } = await send(EXPLAIN, { reveal: true });
    expect(data.explain.winner.value).toBe('hunter2');

    expect(await revealed()).toEqual([
      { action: 'reveal', objectType: 'Parameter', objectName: 'TOKEN', user: { name: 'Owner' } },
    ]);
  });

  it('is not audited while it stays masked, in reads and in responses of writes', async () => {
    const { data } = await send(EXPLAIN, { reveal: false });
    expect(data.explain.winner.value).toBe('*****');
    const { id } = await organization.environmentNamed('production');
    const set = `mutation ($p: ID!, $id: ID!, $e: ID!) {
      setValue(input: { projectId: $p, parameterId: $id, environmentId: $e, internalValue: "hunter3" }) {
        ... on ValueSaved { value { value } }
      }
      updateParameter(projectId: $p, id: $id, input: { description: "x" }) { ... on ParameterSaved { parameter { name } } }
    }`;
    const { data: written, errors } = await send(set, { e: id });
    expect([errors, written.setValue.value.value]).toEqual([undefined, '*****']);

    // Reveals the secret over REST. Once this is audited, all earlier reveals are, too.
    await organization.owner.get(`${project.url}effective/?environment=staging&name=TOKEN`);
    expect(await revealed()).toEqual([expect.objectContaining({ objectType: 'Parameter' })]);
  });
});

/** Every field with the argument `reveal`, within a query for the project and the parameter. */
const REVEALS: readonly string[] = [
  'effective(projectId: $p, environmentId: "default", reveal: true) { map }',
  'explain(projectId: $p, environmentId: "default", name: "TOKEN", reveal: true) { winner { value } }',
  'parameter(projectId: $p, id: $id, reveal: true) { values { value } }',
  'parameter(projectId: $p, id: $id) { values(reveal: true) { value } }',
  'parameter(projectId: $p, id: $id) { effective(environment: "default", reveal: true) { value } }',
  'value(projectId: $p, parameterId: $id, id: $v, reveal: true) { value }',
  'values(projectId: $p, parameterId: $id, reveal: true) { edges { node { value } } }',
  'template(projectId: $p, id: $t, environment: "default", evaluate: true, reveal: true) { body }',
  'templatePreview(projectId: $p, input: { body: "{{ TOKEN }}" }, reveal: true) { body }',
  'project(id: $p) { explanations(environment: "default", reveal: true) { edges { node { winner { value } } } } }',
  'project(id: $p) { export(output: dotenv, reveal: true) { body } }',
  'project(id: $p) { parameters(reveal: true) { edges { node { values { value } } } } }',
  'project(id: $p) { templates(environment: "default", evaluate: true, reveal: true) { edges { node { body } } } }',
];

describe('a caller who may not reveal secrets', () => {
  it.each(REVEALS)('gets an error from %s', async (field) => {
    const { body: account } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
      ...{ name: 'ci', role: 'ADMIN', reveals_secrets: false },
    });
    const { body: values } = await organization.owner.get<Page<Value>>(`${parameter.url}values/`);
    const template = await organization.owner.post<Template>(`${project.url}templates/`, {
      ...{ name: 'file', body: '{{ TOKEN }}' },
    });
    const available = { p: project.id, id: parameter.id, v: values.results[0]?.id, t: template.body.id };
    const used = Object.entries(available).filter(([name]) => new RegExp(`\\$${name}\\b`).test(field));
    const query = `query (${used.map(([name]) => `$${name}: ID!`).join(', ')}) { ${field} }`;
    const sendQuery = (authorization: string) => stack.request(query, Object.fromEntries(used), authorization);

    const response = await sendQuery(`Api-Key ${account.apikey}`);
    expect(JSON.stringify(response)).not.toContain('hunter2');
    expect(response.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN', reason: 'reveal_forbidden' } }]);
    expect(JSON.stringify(await sendQuery(organization.ownerAuthorization))).toContain('hunter2');
  });
});
