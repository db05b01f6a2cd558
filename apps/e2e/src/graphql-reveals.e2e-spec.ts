import type { Parameter, Project } from '@strata/contract';
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
    const found = await reveals();
    if (found.length > 0) return found;
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
