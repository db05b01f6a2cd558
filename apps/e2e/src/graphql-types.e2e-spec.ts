import { useSharedGraphQL } from './graphql-access.ts';

const fixture = useSharedGraphQL();

async function portType() {
  const { types } = await fixture.request('{ types(name: "integer") { edges { node { id } } } }');
  const { createParameterType } = await fixture.request(
    `mutation ($parent: ID!) { createParameterType(input: { name: "port", parentId: $parent }) {
      ... on ParameterTypeSaved { parameterType { id nodeId ledgerId name parent { name } } }
      ... on Problem { code message }
    } }`,
    { parent: types.edges[0].node.id },
  );
  return createParameterType.parameterType;
}

describe('types over GraphQL', () => {
  it('have a base type, and are listed, found, changed and deleted', async () => {
    const port = await portType();
    expect(port).toMatchObject({ name: 'port', parent: { name: 'integer' } });

    const { types, type, node } = await fixture.request(
      `query ($id: ID!, $nodeId: ID!) {
        types(parentName: "integer") { totalCount edges { node { name } } }
        type(id: $id) { name parentName rules { id } }
        node(id: $nodeId) { __typename id }
      }`,
      { id: port.id, nodeId: port.nodeId },
    );
    expect(types).toEqual({ totalCount: 1, edges: [{ node: { name: 'port' } }] });
    expect(type).toEqual({ name: 'port', parentName: 'integer', rules: [] });
    expect(node).toEqual({ __typename: 'ParameterType', id: port.id });

    const { unseen, seen, gone } = await fixture.request(
      `mutation ($id: ID!, $ledgerId: ID!) {
        seen: updateParameterType(id: $id, input: { description: "0 to 65535" }, expectedLedgerId: $ledgerId) { ... on ParameterTypeSaved { parameterType { description } } }
        unseen: updateParameterType(id: $id, input: { description: "x" }, expectedLedgerId: $ledgerId) { __typename }
        gone: deleteParameterType(id: $id) { __typename }
      }`,
      { id: port.id, ledgerId: port.ledgerId },
    );
    expect(seen.parameterType).toEqual({ description: '0 to 65535' });
    expect(unseen).toEqual({ __typename: 'PreconditionFailed' });
    expect(gone).toEqual({ __typename: 'Deleted' });
  });

  it('have rules that values must satisfy', async () => {
    const port = await portType();
    const { createParameterTypeRule } = await fixture.request(
      `mutation ($id: ID!) { createParameterTypeRule(input: { typeId: $id, type: max, constraint: "65535" }) {
        ... on ParameterTypeRuleSaved { parameterTypeRule { id type constraint parameterType { name rules { constraint } } } }
        ... on Problem { code message }
      } }`,
      { id: port.id },
    );
    expect(createParameterTypeRule.parameterTypeRule).toMatchObject({
      type: 'max',
      constraint: '65535',
      parameterType: { name: 'port', rules: [{ constraint: '65535' }] },
    });

    const project = await fixture.organization.project();
    const parameter = await fixture.organization.parameter({ project, type: 'port' });
    const environment = await fixture.organization.environmentNamed('default');
    const { setValue } = await fixture.request(
      `mutation ($input: SetValueInput!) { setValue(input: $input) { __typename ... on ValidationProblem { code message fields { field } } } }`,
      {
        input: {
          projectId: project.id,
          parameterId: parameter.id,
          environmentId: environment.id,
          internalValue: '70000',
        },
      },
    );
    expect(setValue).toMatchObject({ __typename: 'ValidationProblem', message: expect.stringContaining('65535') });
  });

  it('return what is wrong with a rule', async () => {
    const port = await portType();
    const { createParameterTypeRule } = await fixture.request(
      `mutation ($id: ID!) { createParameterTypeRule(input: { typeId: $id, type: max, constraint: "many" }) { __typename ... on Problem { code } } }`,
      { id: port.id },
    );

    expect(createParameterTypeRule).toMatchObject({ __typename: 'ValidationProblem' });
  });
});

describe('rules of one parameter', () => {
  it('are created, listed, changed and deleted, and returned with it', async () => {
    const project = await fixture.organization.project();
    const parameter = await fixture.organization.parameter({ project });
    const target = { project: project.id, parameter: parameter.id };
    const { createParameterRule } = await fixture.request(
      `mutation ($project: ID!, $parameter: ID!) {
        createParameterRule(input: { projectId: $project, parameterId: $parameter, type: max_len, constraint: "3" }) {
          ... on ParameterRuleSaved { parameterRule { id ledgerId parameter { id } } }
          ... on Problem { code message }
        }
      }`,
      target,
    );
    const { id, parameter: owner } = createParameterRule.parameterRule;
    expect(owner).toEqual({ id: parameter.id });

    const { parameterRules, shown } = await fixture.request(
      `query ($project: ID!, $parameter: ID!) {
        parameterRules(projectId: $project, parameterId: $parameter, type: max_len) { totalCount edges { node { constraint } } }
        shown: parameter(projectId: $project, id: $parameter) { rules { type constraint } }
      }`,
      target,
    );
    expect(parameterRules).toEqual({ totalCount: 1, edges: [{ node: { constraint: '3' } }] });
    expect(shown.rules).toEqual([{ type: 'max_len', constraint: '3' }]);

    const { updateParameterRule, deleteParameterRule } = await fixture.request(
      `mutation ($project: ID!, $parameter: ID!, $id: ID!) {
        updateParameterRule(projectId: $project, parameterId: $parameter, id: $id, input: { constraint: "5" }) { ... on ParameterRuleSaved { parameterRule { constraint } } }
        deleteParameterRule(projectId: $project, parameterId: $parameter, id: $id) { __typename }
      }`,
      { ...target, id },
    );
    expect(updateParameterRule.parameterRule).toEqual({ constraint: '5' });
    expect(deleteParameterRule).toEqual({ __typename: 'Deleted' });
  });
});
