import { useSharedGraphQL } from './graphql-access.ts';

const fixture = useSharedGraphQL();

/** Creates a project with the parameter PORT, which was 80 at `then` and is 443 now. */
async function changedProject() {
  const project = await fixture.organization.project();
  const parameter = await fixture.organization.parameter({ project, name: 'PORT' });
  const value = await fixture.organization.value({ parameter, internal_value: '80' });
  const { changes, changesCursor } = await fixture.request(
    '{ changes: changesAfter(first: 200) { changes { at revision } } changesCursor }',
  );
  const then = changes.changes.at(-1);
  await fixture.organization.owner.patch(value.url, { internal_value: '443' });
  return { project, parameter, then, changesCursor };
}

describe('points in time', () => {
  it('apply to the whole query, by timestamp and by revision', async () => {
    const { project, then } = await changedProject();
    const { before, after } = await fixture.request(
      `query ($id: ID!, $at: DateTime, $revision: Int) {
        before: project(id: $id) { parameters(asOf: $at, environment: "default") { edges { node { effective { value } values { value } } } } }
        after: project(id: $id) { parameters(environment: "default") { edges { node { effective { value } values { value } } } } }
        effective(projectId: $id, environmentId: "default", revision: $revision) { map }
      }`,
      { id: project.id, at: then.at, revision: then.revision },
    );

    expect(before.parameters.edges).toEqual([{ node: { effective: { value: '80' }, values: [{ value: '80' }] } }]);
    expect(after.parameters.edges).toEqual([{ node: { effective: { value: '443' }, values: [{ value: '443' }] } }]);
  });

  it('apply to projects and environments, and to the links between them', async () => {
    const base = await fixture.organization.project({ name: 'base' });
    const child = await fixture.organization.project({ name: 'child', depends_on: base.url });
    const { changesAfter } = await fixture.request('{ changesAfter(first: 200) { changes { at } } }');
    const at = changesAfter.changes.at(-1).at;
    await fixture.organization.owner.patch(base.url, { name: 'foundation' });
    await fixture.organization.owner.delete(child.url);
    const { then, now } = await fixture.request(
      `query ($base: ID!, $at: DateTime) {
        then: project(id: $base, asOf: $at) { name dependents { name dependsOn { name } } }
        now: project(id: $base) { name dependents { name } }
      }`,
      { base: base.id, at },
    );

    expect(then).toEqual({ name: 'base', dependents: [{ name: 'child', dependsOn: { name: 'base' } }] });
    expect(now).toEqual({ name: 'foundation', dependents: [] });
  });

  it('can be named by a tag', async () => {
    const { project, then } = await changedProject();
    const environment = await fixture.organization.environmentNamed('default');
    const { createTag } = await fixture.request(
      `mutation ($input: CreateTagInput!) { createTag(input: $input) {
        ... on TagSaved { tag { id nodeId name timestamp immutable usage { totalReads } } revision }
        ... on Problem { code message }
      } }`,
      { input: { environmentId: environment.id, name: 'v1', timestamp: then.at } },
    );
    expect(createTag.tag).toMatchObject({ name: 'v1', timestamp: then.at, immutable: false });

    const { effective, tags, node } = await fixture.request(
      `query ($id: ID!, $environment: ID!, $tag: ID!) {
        effective(projectId: $id, environmentId: "default", tag: "v1") { map }
        tags: environment(id: $environment) { tags { totalCount edges { node { name } } } }
        node(id: $tag) { ... on Tag { id name } }
      }`,
      { id: project.id, environment: environment.id, tag: createTag.tag.nodeId },
    );
    expect(effective.map).toEqual({ PORT: '80' });
    expect(tags.tags).toEqual({ totalCount: 1, edges: [{ node: { name: 'v1' } }] });
    expect(node).toEqual({ id: createTag.tag.id, name: 'v1' });
  });

  it('apply to related objects in every environment when they are named by a tag', async () => {
    const { project, parameter, then } = await changedProject();
    const environment = await fixture.organization.environmentNamed('production');
    await fixture.request('mutation ($input: CreateTagInput!) { createTag(input: $input) { __typename } }', {
      input: { environmentId: environment.id, name: 'v1', timestamp: then.at },
    });
    const { parameter: seen } = await fixture.request(
      `query ($project: ID!, $id: ID!) { parameter(projectId: $project, id: $id, environment: "production", tag: "v1") {
        effective { value }
        staging: effective(environment: "staging") { value }
        values { environmentName value }
        project { parameters(environment: "staging") { edges { node { effective { value } } } } }
      } }`,
      { project: project.id, id: parameter.id },
    );

    expect(seen).toEqual({
      effective: { value: '80' },
      staging: { value: '80' },
      values: [{ environmentName: 'default', value: '80' }],
      project: { parameters: { edges: [{ node: { effective: { value: '80' } } }] } },
    });
  });

  it('reject a second tag with the same name, and accept changes and deletion of a tag', async () => {
    const environment = await fixture.organization.environmentNamed('default');
    const { first, second } = await fixture.request(
      `mutation ($id: ID!) {
        first: createTag(input: { environmentId: $id, name: "v1" }) { ... on TagSaved { tag { id } } }
        second: createTag(input: { environmentId: $id, name: "v1" }) { __typename ... on ValidationProblem { code fields { field } } }
      }`,
      { id: environment.id },
    );
    expect(second).toMatchObject({ __typename: 'ValidationProblem', fields: [{ field: expect.any(String) }] });

    const { updateTag, deleteTag } = await fixture.request(
      `mutation ($environment: ID!, $id: ID!) {
        updateTag(environmentId: $environment, id: $id, input: { description: "first release" }) { ... on TagSaved { tag { name description } } }
        deleteTag(environmentId: $environment, id: $id) { ... on Deleted { id revision } }
      }`,
      { environment: environment.id, id: first.tag.id },
    );
    expect(updateTag.tag).toEqual({ name: 'v1', description: 'first release' });
    expect(deleteTag).toMatchObject({ id: first.tag.id, revision: expect.any(Number) });
  });

  it('are rejected when a query names two at once', async () => {
    const { project, then } = await changedProject();
    const { errors } = await fixture.stack.request(
      'query ($id: ID!, $at: DateTime) { effective(projectId: $id, environmentId: "default", asOf: $at, revision: 3) { map } }',
      { id: project.id, at: then.at },
      fixture.organization.ownerAuthorization,
    );

    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT' });
  });
});

describe('the history over GraphQL', () => {
  it('returns the timeline of a parameter, with the environments that each change affected', async () => {
    const { project, parameter } = await changedProject();
    const { one, all } = await fixture.request(
      `query ($project: ID!, $id: ID!) {
        one: parameter(projectId: $project, id: $id) {
          timeline { count results { historyType historyModel modifiedBy historyEnvironments { name override } historyParameter { name } } }
        }
        all: project(id: $project) { parameterTimeline { count } }
      }`,
      { project: project.id, id: parameter.id },
    );

    expect(one.timeline.results[0]).toMatchObject({
      historyType: 'update',
      historyModel: 'Value',
      historyEnvironments: expect.arrayContaining([{ name: 'default', override: true }]),
      historyParameter: { name: 'PORT' },
    });
    expect(all.parameterTimeline.count).toBe(one.timeline.count);
  });

  it('returns the audit log, filtered and summarized', async () => {
    const { parameter } = await changedProject();
    const { audit, auditSummary } = await fixture.request(
      `query ($id: ID!) {
        audit(parameterId: $id, action: update) { totalCount edges { node { id action objectType objectName user { type } } } }
        auditSummary { total maxDays maxRecords }
      }`,
      { id: parameter.id },
    );
    expect(audit).toMatchObject({
      totalCount: 1,
      edges: [{ node: { action: 'update', objectType: 'Value', objectName: 'PORT', user: { type: 'interactive' } } }],
    });
    expect(auditSummary.total).toBeGreaterThan(1);

    const { auditTrail } = await fixture.request('query ($id: ID!) { auditTrail(id: $id) { objectName } }', {
      id: audit.edges[0].node.id,
    });
    expect(auditTrail).toEqual({ objectName: 'PORT' });
  });

  it('compares two points in time by parameter name', async () => {
    const { project, then } = await changedProject();
    const { project: shownProject } = await fixture.request(
      `query ($id: ID!, $at: DateTime) { project(id: $id) {
        compare(t1AsOf: $at, environment: "default", difference: true) {
          totalCount edges { node { t1 { name effective { value } } t2 { name effective { value } } } }
        }
      } }`,
      { id: project.id, at: then.at },
    );

    expect(shownProject.compare).toEqual({
      totalCount: 1,
      edges: [
        {
          node: { t1: { name: 'PORT', effective: { value: '80' } }, t2: { name: 'PORT', effective: { value: '443' } } },
        },
      ],
    });
  });

  it('compares a tag with the present, and nested fields use the time of their side', async () => {
    const { project, then } = await changedProject();
    const production = await fixture.organization.environmentNamed('production');
    await fixture.request('mutation ($input: CreateTagInput!) { createTag(input: $input) { __typename } }', {
      input: { environmentId: production.id, name: 'v1', timestamp: then.at },
    });
    const { project: shownProject } = await fixture.request(
      `query ($id: ID!) { project(id: $id) {
        compare(t1Tag: "v1", environment: "production") {
          edges { node { t1 { effective { value } staging: effective(environment: "staging") { value } } t2 { staging: effective(environment: "staging") { value } } } }
        }
      } }`,
      { id: project.id },
    );

    expect(shownProject.compare.edges).toEqual([
      { node: { t1: { effective: { value: '80' }, staging: { value: '80' } }, t2: { staging: { value: '443' } } } },
    ]);
  });

  it('compares environments by their names', async () => {
    const { project, parameter } = await changedProject();
    await fixture.organization.parameter({ project, name: 'SAME' });
    const production = await fixture.organization.environmentNamed('production');
    await fixture.organization.value({ parameter, environment: production, internal_value: '8443' });
    const { project: shownProject } = await fixture.request(
      `query ($id: ID!) { project(id: $id) {
        parameters(difference: ["default", "production"]) { totalCount edges { node { name values { environmentName value } } } }
      } }`,
      { id: project.id },
    );

    expect(shownProject.parameters).toEqual({
      totalCount: 1,
      edges: [
        {
          node: {
            name: 'PORT',
            values: [
              { environmentName: 'default', value: '443' },
              { environmentName: 'production', value: '8443' },
            ],
          },
        },
      ],
    });
  });
});
