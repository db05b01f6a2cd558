import { useSharedGraphQL } from './graphql-access.ts';

const fixture = useSharedGraphQL();

const CREATE = `mutation ($project: ID!, $name: String!, $body: String!) {
  createTemplate(input: { projectId: $project, name: $name, body: $body }) {
    ... on TemplateSaved { template { id nodeId ledgerId name projectId referencedParameters { name } } revision }
    ... on Problem { __typename code message }
  }
}`;

/** Creates a project with PORT (8080) and the secret TOKEN (hunter2). */
async function project() {
  const createdProject = await fixture.organization.project();
  const port = await fixture.organization.parameter({ project: createdProject, name: 'PORT' });
  await fixture.organization.value({ parameter: port, internal_value: '8080' });
  const token = await fixture.organization.parameter({ project: createdProject, name: 'TOKEN', secret: true });
  await fixture.organization.value({ parameter: token, internal_value: 'hunter2' });
  return createdProject;
}

describe('templates over GraphQL', () => {
  it('are created, listed, rendered for an environment, changed and deleted', async () => {
    const { id } = await project();
    const { createTemplate } = await fixture.request(CREATE, {
      project: id,
      name: 'app.conf',
      body: 'listen {{ PORT }}',
    });
    const { template } = createTemplate;
    expect(template).toMatchObject({ name: 'app.conf', projectId: id, referencedParameters: [{ name: 'PORT' }] });

    const { raw, rendered, node } = await fixture.request(
      `query ($project: ID!, $id: ID!, $nodeId: ID!) {
        raw: project(id: $project) { templates { totalCount edges { node { body evaluated } } } }
        rendered: template(projectId: $project, id: $id, environment: "production") { body evaluated hasSecret }
        node(id: $nodeId) { ... on Template { id body } }
      }`,
      { project: id, id: template.id, nodeId: template.nodeId },
    );
    expect(raw.templates).toEqual({
      totalCount: 1,
      edges: [{ node: { body: 'listen {{ PORT }}', evaluated: false } }],
    });
    expect(rendered).toEqual({ body: 'listen 8080', evaluated: true, hasSecret: false });
    expect(node).toEqual({ id: template.id, body: 'listen {{ PORT }}' });

    const { updateTemplate, deleteTemplate } = await fixture.request(
      `mutation ($project: ID!, $id: ID!, $ledgerId: ID!) {
        updateTemplate(projectId: $project, id: $id, input: { body: "port {{ PORT }}" }, expectedLedgerId: $ledgerId) { ... on TemplateSaved { template { body } } ... on Problem { code } }
        deleteTemplate(projectId: $project, id: $id) { __typename }
      }`,
      { project: id, id: template.id, ledgerId: template.ledgerId },
    );
    expect(updateTemplate.template).toEqual({ body: 'port {{ PORT }}' });
    expect(deleteTemplate).toEqual({ __typename: 'Deleted' });
  });

  it('hide secrets unless the request reveals them, in templates, previews and exports', async () => {
    const { id } = await project();
    const { createTemplate } = await fixture.request(CREATE, {
      project: id,
      name: 'secret.conf',
      body: 'token {{ TOKEN }}',
    });
    const SECRETS = `query ($project: ID!, $id: ID!, $reveal: Boolean!) {
      template(projectId: $project, id: $id, environment: "production", reveal: $reveal) { body hasSecret }
      templatePreview(projectId: $project, environment: "production", input: { body: "<{{ TOKEN }}>" }, reveal: $reveal) { body hasSecret }
      project(id: $project) { export(output: dotenv, environment: "production", reveal: $reveal) { body hasSecret } }
    }`;
    const hidden = await fixture.request(SECRETS, { project: id, id: createTemplate.template.id, reveal: false });
    const result = await fixture.request(SECRETS, { project: id, id: createTemplate.template.id, reveal: true });

    expect(JSON.stringify(hidden)).not.toContain('hunter2');
    expect(hidden.template).toEqual({ body: '*****', hasSecret: true });
    expect(result.template).toEqual({ body: 'token hunter2', hasSecret: true });
    expect(result.templatePreview).toEqual({ body: '<hunter2>', hasSecret: true });
    expect(result.project.export.body).toContain('hunter2');
  });

  it('explain what is wrong with their text', async () => {
    const { id } = await project();
    const { createTemplate } = await fixture.request(CREATE, { project: id, name: 'broken', body: '{{ NOWHERE }}' });
    expect(createTemplate).toMatchObject({
      __typename: 'ValidationProblem',
      message: expect.stringContaining('NOWHERE'),
    });

    const { errors } = await fixture.stack.request(
      'query ($id: ID!) { templatePreview(projectId: $id, input: { body: "{{ NOWHERE }}" }) { body } }',
      { id },
      fixture.organization.ownerAuthorization,
    );
    expect(errors?.[0]).toMatchObject({ extensions: { code: 'BAD_USER_INPUT' } });
  });

  it('have a timeline', async () => {
    const { id } = await project();
    const { createTemplate } = await fixture.request(CREATE, {
      project: id,
      name: 'app.conf',
      body: 'listen {{ PORT }}',
    });
    const { template, project: around } = await fixture.request(
      `query ($project: ID!, $id: ID!) {
        template(projectId: $project, id: $id) { timeline { count results { historyType historyTemplate { name body } } } }
        project(id: $project) { templateTimeline { count } }
      }`,
      { project: id, id: createTemplate.template.id },
    );

    expect(template.timeline).toEqual({
      count: 1,
      results: [{ historyType: 'create', historyTemplate: { name: 'app.conf', body: 'listen {{ PORT }}' } }],
    });
    expect(around.templateTimeline.count).toBe(1);
  });
});

describe('dynamic values', () => {
  it('are set, returned evaluated, and lead to the parameters that they reference', async () => {
    const { id } = await project();
    const url = await fixture.organization.parameter({
      project: await fixture.organization.owner.get<never>(`projects/${id}/`).then(({ body }) => body),
      name: 'URL',
    });
    const environment = await fixture.organization.environmentNamed('default');
    const { setValue } = await fixture.request(
      `mutation ($input: SetValueInput!) { setValue(input: $input) { ... on ValueSaved { value { value } } ... on Problem { code message } } }`,
      {
        input: {
          projectId: id,
          parameterId: url.id,
          environmentId: environment.id,
          internalValue: 'http://localhost:{{ PORT }}/',
          interpolated: true,
        },
      },
    );
    expect(setValue.value).toEqual({ value: 'http://localhost:8080/' });
    const asStored = await fixture.request(
      `mutation ($input: SetValueInput!) { setValue(input: $input, evaluate: false) { ... on ValueSaved { value { value evaluated } } } }`,
      {
        input: {
          projectId: id,
          parameterId: url.id,
          environmentId: environment.id,
          internalValue: 'http://localhost:{{ PORT }}/',
        },
      },
    );
    expect(asStored.setValue.value).toEqual({ value: 'http://localhost:{{ PORT }}/', evaluated: false });

    const { parameter } = await fixture.request(
      `query ($project: ID!, $id: ID!) { parameter(projectId: $project, id: $id) {
        effective(environment: "production") { value internalValue interpolated evaluated referencedParameters { name referencingValues { parameter { name } } } }
      } }`,
      { project: id, id: url.id },
    );
    expect(parameter.effective).toEqual({
      value: 'http://localhost:8080/',
      internalValue: 'http://localhost:{{ PORT }}/',
      interpolated: true,
      evaluated: true,
      referencedParameters: [{ name: 'PORT', referencingValues: [{ parameter: { name: 'URL' } }] }],
    });
  });

  it('hide the secrets that they reference, when set and when read', async () => {
    const { id } = await project();
    const createdParameter = await fixture.organization.owner.post<{ id: string }>(`projects/${id}/parameters/`, {
      name: 'LOGIN',
    });
    const environment = await fixture.organization.environmentNamed('default');
    const result = await fixture.request(
      `mutation ($input: SetValueInput!) { setValue(input: $input) { __typename ... on ValueSaved { value { value parameter { values { value } effective { value } } } } } }`,
      {
        input: {
          projectId: id,
          parameterId: createdParameter.body.id,
          environmentId: environment.id,
          internalValue: 'me:{{ TOKEN }}',
          interpolated: true,
        },
      },
    );

    expect(result.setValue.__typename).toBe('ValueSaved');
    expect(JSON.stringify(result)).not.toContain('hunter2');
  });
});
