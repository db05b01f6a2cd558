import type { Project, Tag, Template, TemplateTimeline } from '@strata/contract';
import { type RunningCore, sharedCore, type TestOrganization } from '@strata/testkit';

let core: RunningCore;
beforeAll(async () => {
  core = await sharedCore();
});

const summarize = ({ results }: TemplateTimeline) =>
  results.map(({ history_type: type, history_template: { name, body } }) => `${type} ${name}: ${body}`);

async function timeline(organization: TestOrganization, url: string, query = ''): Promise<TemplateTimeline> {
  const response = await organization.owner.get<TemplateTimeline>(`${url}${query}`);
  expect([url, response.status]).toEqual([url, 200]);
  return response.body;
}

/** Creates a template `t` in a project `p` and changes it twice. */
async function history() {
  const organization = await core.organization();
  const { owner } = organization;
  const project = await organization.project({ name: 'p' });
  const created = (await owner.post<Template>(`${project.url}templates/`, { name: 't', body: 'one\n' })).body;
  const second = (await owner.patch<Template>(`${created.url}`, { body: '{{ strata.project }}' })).body;
  const third = (await owner.patch<Template>(`${created.url}`, { name: 'renamed', description: 'd' })).body;
  return { organization, owner, project, created, second, third };
}

const all = ({ url }: Project) => `${url}templates/timelines/`;

describe('the timeline of a template', () => {
  it('lists the text and the name after each change, newest first', async () => {
    const { organization, created, second, third } = await history();
    const entries = await timeline(organization, `${created.url}timeline/`);

    expect(summarize(entries)).toEqual([
      'update renamed: {{ strata.project }}',
      'update t: {{ strata.project }}',
      'create t: one\n',
    ]);
    expect(entries).toMatchObject({ count: 3, results: [{ modified_at: third.modified_at }, {}, {}] });
    expect(entries.next_as_of).toBeUndefined();
    expect(entries.results[1]).toEqual({
      history_type: 'update',
      modified_at: second.modified_at,
      modified_by: expect.any(String),
      history_template: {
        id: created.id,
        ledger_id: second.ledger_id,
        name: 't',
        description: '',
        body: '{{ strata.project }}',
      },
    });
  });

  it('ends at an instant or a tag, and does not depend on the environment otherwise', async () => {
    const { organization, owner, created, second } = await history();
    const environment = await organization.environmentNamed('staging');
    await owner.post<Tag>(`${environment.url}tags/`, { name: 'v1', timestamp: second.modified_at });
    const url = `${created.url}timeline/`;

    expect((await timeline(organization, url, `?as_of=${second.modified_at}`)).count).toBe(2);
    expect((await timeline(organization, url, '?environment=staging&tag=v1')).count).toBe(2);
    expect((await timeline(organization, url, '?environment=staging')).count).toBe(3);
    expect((await owner.get(`${url}?environment=default&tag=v1`)).status).toBe(404);
    expect((await owner.get(`${url}?tag=v1`)).status).toBe(400);
    expect(await owner.get(`${url}?as_of=2000-01-01`)).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('No ProjectLedger') },
    });
  });

  it('returns 404 for an unknown environment, alone, with a tag, and in the past', async () => {
    const { organization, owner, project, created, second } = await history();
    const { id } = await organization.environmentNamed('staging');

    for (const url of [`${created.url}timeline/`, all(project)]) {
      for (const point of ['', '&tag=v1', `&as_of=${second.modified_at}`]) {
        expect(await owner.get(`${url}?environment=stagng${point}`)).toMatchObject({
          status: 404,
          body: { detail: `No Environment${point === '' ? '' : 'Ledger'} matches the given query.` },
        });
      }
      expect((await timeline(organization, url, `?environment=${id.toUpperCase()}`)).count).toBe(3);
    }
  });

  it('returns 404 once the template is deleted; the timeline of the project still contains it with its last text', async () => {
    const { organization, owner, project, created } = await history();
    await owner.delete(created.url);
    await owner.post<Template>(`${project.url}templates/`, { name: 't', body: 'anew' });

    expect(await owner.get(`${created.url}timeline/`)).toMatchObject({
      status: 404,
      body: { detail: 'No Template matches the given query.' },
    });
    expect(summarize(await timeline(organization, all(project)))).toEqual([
      'create t: anew',
      'delete renamed: {{ strata.project }}',
      'update renamed: {{ strata.project }}',
      'update t: {{ strata.project }}',
      'create t: one\n',
    ]);
  });

  it('of a project is returned in pages and contains only templates of this project', async () => {
    const { organization, owner, project, created } = await history();
    const otherProject = await organization.project();
    await owner.post<Template>(`${otherProject.url}templates/`, { name: 'elsewhere' });

    const first = await timeline(organization, all(project), '?page_size=2');
    expect(summarize(first)).toHaveLength(2);
    const rest = await timeline(organization, all(project), `?page_size=2&as_of=${first.next_as_of}`);
    expect(summarize(rest)).toEqual(['create t: one\n']);
    expect(rest.next_as_of).toBeUndefined();
    expect((await owner.get(`${otherProject.url}templates/${created.id}/timeline/`)).status).toBe(404);

    const foreign = await core.organization();
    const never = await foreign.owner.get('projects/00000000-0000-4000-8000-000000000000/templates/timelines/');
    expect(await foreign.owner.get(all(project))).toMatchObject({ status: 404, text: never.text });
  });
});
