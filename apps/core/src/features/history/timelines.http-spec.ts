import type {
  Environment,
  Parameter,
  ParameterTimeline,
  Project,
  ServiceAccountCreated,
  Tag,
  Value,
} from '@strata/contract';
import { RawClient, type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';
import { createPerson } from '../../testing/people.ts';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

/**
 * Formats entries as `create Value x in default!, e`. The exclamation mark follows the environment in which the value
 * is set.
 */
const summarize = ({ results }: ParameterTimeline) =>
  results.map(
    ({ history_type: type, history_model: model, history_parameter: { name }, history_environments: where }) => {
      const locations = where.map((project) => `${project.name}${project.override ? '!' : ''}`).join(', ');
      return `${type} ${model} ${name}${locations && ` in ${locations}`}`;
    },
  );

async function timeline(organization: TestOrganization, url: string, query = ''): Promise<ParameterTimeline> {
  const response = await organization.owner.get<ParameterTimeline>(`${url}${query}`);
  expect(response.status).toBe(200);
  return response.body;
}

interface Fixture {
  readonly organization: TestOrganization;
  readonly project: Project;
  readonly parameter: Parameter;
  readonly top: Environment;
  readonly below: Environment;
}

/** Creates the environment `top` with the child `below`, and a project with the parameter `x`. */
async function fixture(): Promise<Fixture> {
  const organization = await core.organization();
  const top = await organization.environment({ name: 'top' });
  const childEnvironment = await organization.environment({ name: 'below', parent: top.url });
  const project = await organization.project({ name: 'p' });
  const parameter = await organization.parameter({ project, name: 'x' });
  return { organization, project, parameter, top, below: childEnvironment };
}

describe('the timeline of a parameter', () => {
  it('lists changes of the parameter and its values, newest first, and where each value became or stopped being effective', async () => {
    const { organization, parameter, top, below } = await fixture();
    const { owner } = organization;
    const value = await organization.value({ parameter, environment: top, internal_value: 'a' });
    const nearer = await organization.value({ parameter, environment: below, internal_value: 'b' });
    await owner.patch(value.url, { internal_value: 'c' });
    await owner.delete(nearer.url);
    await owner.patch(value.url, { internal_value: null });
    await owner.patch(parameter.url, { name: 'y' });
    await owner.patch(value.url, { interpolated: false });

    const entries = await timeline(organization, `${parameter.url}timeline/`);

    expect(summarize(entries)).toEqual([
      'update Parameter y',
      'update Value x in top!, below',
      'delete Value x in below!',
      'update Value x in top!',
      'create Value x in below!',
      'create Value x in top!, below',
      'create Parameter x',
    ]);
    expect(entries.count).toBe(7);
    expect(entries.next_as_of).toBeUndefined();
    expect(entries.results.at(-2)).toEqual({
      history_type: 'create',
      modified_at: value.created_at,
      modified_by: expect.any(String),
      history_environments: [
        { environment_id: top.id, name: 'top', override: true },
        { environment_id: below.id, name: 'below', override: false },
      ],
      history_model: 'Value',
      history_parameter: { parameter_id: parameter.id, name: 'x' },
    });
  });

  it('uses the tree of environments at that time: moved, later and renamed environments', async () => {
    const { organization, parameter, top, below } = await fixture();
    const { owner } = organization;
    const value = await organization.value({ parameter, environment: top });
    const root = await organization.environmentNamed('default');
    await owner.patch(below.url, { parent: root.url });
    await owner.patch(value.url, { internal_value: 'second' });
    await organization.environment({ name: 'later', parent: top.url });
    await owner.patch(top.url, { name: 'renamed' });
    await owner.patch(value.url, { internal_value: 'third' });

    expect(summarize(await timeline(organization, `${parameter.url}timeline/`)).slice(0, 3)).toEqual([
      'update Value x in renamed!, later',
      'update Value x in top!',
      'create Value x in top!, below',
    ]);
  });

  it('includes values of the projects between the parameter and the requested project', async () => {
    const { organization, project, parameter, top, below } = await fixture();
    const child = await organization.project({ name: 'child', depends_on: project.url });
    const nearer = await organization.parameter({ project: child, name: 'x' });
    await organization.value({ parameter, environment: below });
    await organization.value({ parameter: nearer, environment: top });
    await organization.value({ parameter, environment: top });

    expect(summarize(await timeline(organization, `${nearer.url}timeline/`))).toEqual([
      'create Value x in top!',
      'create Parameter x',
    ]);
    expect(summarize(await timeline(organization, `${parameter.url}timeline/`))).toEqual([
      'create Value x in top!',
      'create Value x in below!',
      'create Parameter x',
    ]);
    // Reads an inherited parameter through the path of the inheriting project, in which the value in `top` is
    // overridden.
    const inherited = `${child.url}parameters/${parameter.id}/timeline/`;
    expect(summarize(await timeline(organization, inherited))).toEqual([
      'create Value x',
      'create Value x in below!',
      'create Parameter x',
    ]);
  });

  it('includes the change at the instant or tag where it ends', async () => {
    const { organization, parameter, top } = await fixture();
    const { owner } = organization;
    const value = await organization.value({ parameter, environment: top });
    const { body: second } = await owner.patch<Value>(value.url, { internal_value: 'second' });
    await owner.post<Tag>(`${top.url}tags/`, { name: 'v1', timestamp: value.created_at });
    const url = `${parameter.url}timeline/`;

    expect((await timeline(organization, url, `?as_of=${second.modified_at}`)).count).toBe(3);
    expect((await timeline(organization, url, `?as_of=${value.created_at}`)).count).toBe(2);
    expect((await timeline(organization, url, '?environment=top&tag=v1')).count).toBe(2);
    expect((await timeline(organization, url, `?as_of=${parameter.created_at}`)).count).toBe(1);
    expect(await owner.get(`${url}?tag=v1`)).toMatchObject({
      status: 400,
      headers: { 'x-error-code': 'tag_without_environment' },
    });
    expect(await owner.get(`${url}?environment=below&tag=v1`)).toMatchObject({
      status: 404,
      headers: { 'x-error-code': 'unknown_tag' },
    });
    expect(await owner.get(`${url}?as_of=2000-01-01`)).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('No ProjectLedger') },
    });
  });

  it('returns 404 for a deleted parameter, except at a time when it existed', async () => {
    const { organization, parameter, top } = await fixture();
    const value = await organization.value({ parameter, environment: top });
    await organization.owner.delete(parameter.url);
    const url = `${parameter.url}timeline/`;

    expect(await organization.owner.get(url)).toMatchObject({
      status: 404,
      body: { detail: 'No Parameter matches the given query.' },
    });
    expect((await timeline(organization, url, `?as_of=${value.modified_at}`)).count).toBe(2);
  });

  it('names service accounts and people as authors', async () => {
    const { organization, parameter, top } = await fixture();
    const { body: account } = await organization.owner.post<ServiceAccountCreated>('serviceaccounts/', {
      name: 'ci robot',
      role: 'CONTRIB',
    });
    const robot = new RawClient(core.origin, `Api-Key ${account.apikey}`);
    const human = await createPerson(core, organization.id, 'CONTRIB');
    const value = await robot.post<Value>(`${parameter.url}values/`, { environment: top.id, internal_value: 'a' });
    await human.client.patch(value.body.url, { internal_value: 'b' });
    await organization.owner.delete(account.url);

    const { results } = await timeline(organization, `${parameter.url}timeline/`);
    expect(results.slice(0, 2).map(({ modified_by: by }) => by)).toEqual([
      'CONTRIB person',
      'Service Account (ci robot)',
    ]);
  });
});

describe('the timeline of all parameters of a project', () => {
  it('lists the parameters that it owns, including deleted ones', async () => {
    const { organization, project, parameter, top } = await fixture();
    const { owner } = organization;
    await organization.value({ parameter, environment: top });
    const otherParameter = await organization.parameter({ project, name: 'other' });
    await organization.parameter({ name: 'elsewhere' });
    await owner.delete(parameter.url);
    await owner.patch(otherParameter.url, { description: 'd' });

    expect(summarize(await timeline(organization, `${project.url}parameters/timelines/`))).toEqual([
      'update Parameter other',
      'delete Parameter x',
      'delete Value x in top!, below',
      'create Parameter other',
      'create Value x in top!, below',
      'create Parameter x',
    ]);
  });

  it('is returned in pages that never split the changes of one instant', async () => {
    const { organization, project, parameter, top } = await fixture();
    await organization.value({ parameter, environment: top });
    await organization.value({ parameter, environment: await organization.environmentNamed('staging') });
    await organization.owner.delete(parameter.url);
    const url = `${project.url}parameters/timelines/`;

    const pages: string[][] = [];
    let query = '?page_size=2';
    for (;;) {
      const page = await timeline(organization, url, query);
      pages.push(summarize(page));
      if (page.next_as_of === undefined) break;
      query = `?page_size=2&as_of=${page.next_as_of}`;
    }
    expect(pages).toEqual([
      ['delete Parameter x', 'delete Value x in top!, below', 'delete Value x in staging!'],
      ['create Value x in staging!', 'create Value x in top!, below'],
      ['create Parameter x'],
    ]);
  });

  it('is empty for a project without history, and returns 404 for an unknown project or one of another organization', async () => {
    const { organization, project } = await fixture();
    const fresh = await organization.project();
    const foreign = await core.organization();

    expect(await timeline(organization, `${fresh.url}parameters/timelines/`)).toEqual({ count: 0, results: [] });
    const never = await foreign.owner.get('projects/00000000-0000-4000-8000-000000000000/parameters/timelines/');
    expect(never.status).toBe(404);
    expect(await foreign.owner.get(`${project.url}parameters/timelines/`)).toMatchObject({
      status: 404,
      text: never.text,
    });
  });

  it('contains for a member without access to an environment only what is effective in others', async () => {
    const { organization, project, parameter, top, below } = await fixture();
    await organization.value({ parameter, environment: top });
    await organization.value({ parameter, environment: below });
    await organization.owner.patch(below.url, { access_controlled: true });
    const url = `${project.url}parameters/timelines/`;

    expect(summarize((await organization.as('VIEWER').get<ParameterTimeline>(url)).body)).toEqual([
      'create Value x in top!',
      'create Parameter x',
    ]);
    expect(summarize(await timeline(organization, url))).toEqual([
      'create Value x in below!',
      'create Value x in top!, below',
      'create Parameter x',
    ]);
    await organization.owner.patch(project.url, { access_controlled: true });
    expect((await organization.as('VIEWER').get(url)).status).toBe(403);
  });

  it('never contains a value', async () => {
    const { organization, project } = await fixture();
    const secret = await organization.parameter({ project, secret: true });
    await organization.value({ parameter: secret, internal_value: 'top-secret-text' });

    const { text } = await organization.owner.get(`${project.url}parameters/timelines/`);
    expect(text).not.toContain('top-secret-text');
  });
});
