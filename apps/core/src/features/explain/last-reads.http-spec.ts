import type { BatchResponse, Explanation, LintPage, Page, Plan } from '@strata/contract';
import { RawClient, type TestOrganization } from '@strata/testkit';
import { type CoreInProcess, startCoreInProcess, startSecondCore } from '../../testing/core-in-process.ts';
import { createPerson } from '../../testing/people.ts';
import { waitUntil } from '../../testing/until.ts';

let core: CoreInProcess;
let second: CoreInProcess;
beforeAll(async () => {
  core = await startCoreInProcess();
  second = await startSecondCore(core);
});
afterAll(async () => {
  await second?.close();
  await core?.close();
});

async function shop() {
  const organization = await core.organization();
  const project = await organization.project({ name: 'shop' });
  const parameter = await organization.parameter({ project, name: 'HOST' });
  const production = await organization.environmentNamed('production');
  const value = await organization.value({ parameter, environment: production, internal_value: 'a' });
  return { organization, project, parameter, production, value, reader: organization.as('VIEWER') };
}

type Shop = Awaited<ReturnType<typeof shop>>;

async function explained(
  { organization, project }: Pick<Shop, 'organization' | 'project'>,
  environment = 'production',
) {
  const path = `projects/${project.id}/explain/?name=HOST&environment=${environment}`;
  const { body } = await organization.owner.get<Page<Explanation>>(path);
  return body.results[0] as Explanation;
}

const isRead = ({ last_read_at: at }: Explanation) => at !== null;

/** Reads another project, and waits until that is remembered. Earlier reads are remembered by then, too. */
async function untilRemembered(organization: TestOrganization): Promise<void> {
  const project = await organization.project();
  await organization.as('VIEWER').get(`projects/${project.id}/effective/`);
  await waitUntil(() => explained({ organization, project }, 'default'), isRead);
}

const planned = async ({ organization }: Shop, ...operations: object[]) =>
  (await organization.owner.post<Plan>('changesets/plan/', { operations })).body;

const READS: Readonly<Record<string, { read(shop: Shop): Promise<{ readonly status: number }>; isNamed: boolean }>> = {
  'effective/': by(({ project }) => `projects/${project.id}/effective/?environment=production`),
  'effective/ by name': by(({ project }) => `projects/${project.id}/effective/?environment=production&name=HOST`, true),
  'effective/ by names': by(
    ({ project }) => `projects/${project.id}/effective/?environment=production&name__in=HOST,X`,
    true,
  ),
  'a batch': by(({ production }) => `effective/?project=shop&environment=${production.id}`),
  'a batch by name': by(() => 'effective/?project=shop&environment=production&name=HOST', true),
  'an export': by(({ project }) => `projects/${project.id}/parameter-export/?output=dotenv&environment=production`),
  'the list of parameters': by(({ project }) => `projects/${project.id}/parameters/?environment=production`),
  'a parameter': by(({ parameter }) => `${parameter.url}?environment=production`, true),
  'a flag that a program evaluates': {
    read: ({ project, production, reader }) =>
      reader.post(`projects/${project.id}/environments/${production.id}/ofrep/v1/evaluate/flags/HOST`, { context: {} }),
    isNamed: true,
  },
};

function by(pathOf: (shop: Shop) => string, isNamed = false) {
  return { read: (fixture: Shop) => fixture.reader.get(pathOf(fixture)), isNamed };
}

describe('last_read_at', () => {
  it('is set by every way to read a value', async () => {
    const readNames = await Promise.all(
      Object.entries(READS).map(async ([name, { read, isNamed }]) => {
        const organization = await shop();
        const { status } = await read(organization);
        const explanation = await waitUntil(() => explained(organization), isRead);
        const otherExplanation = await explained(organization, 'staging');
        return { name, isNamed, status, explanation, elsewhere: otherExplanation };
      }),
    );

    expect(readNames).toEqual(
      readNames.map(({ name, isNamed, explanation: { last_read_at: at } }) => ({
        ...{ name, isNamed, status: 200 },
        explanation: expect.objectContaining({
          last_read_at: expect.stringMatching(/:00\.000000Z$/),
          last_read_by: expect.objectContaining({ name: expect.stringContaining('viewer') }),
          name_last_read_at: isNamed ? at : null,
        }),
        elsewhere: expect.objectContaining({ last_read_at: null }),
      })),
    );
    for (const { explanation } of readNames)
      expect(Date.now() - Date.parse(explanation.last_read_at ?? '')).toBeLessThan(120_000);
  });

  it('is set by responses that are sent from memory, and by 304', async () => {
    const fixture = await shop();
    const path = `projects/${fixture.project.id}/effective/?environment=production`;
    // Users with the same permissions share a stored response. The program reads it without a handler.
    const { client } = await createPerson(core, fixture.organization.id, 'VIEWER');
    await fixture.reader.get(`projects/${fixture.project.id}/`);
    const { headers } = await client.get(path);
    const untouched = await shop();
    expect((await explained(fixture)).last_read_at).toBeNull();

    expect(
      (await fixture.reader.send('GET', path, { headers: { 'if-none-match': String(headers.etag) } })).status,
    ).toBe(304);

    expect((await waitUntil(() => explained(fixture), isRead)).last_read_by?.name).toContain('viewer');
    expect((await explained(untouched)).last_read_at).toBeNull();
  });

  it('is set by a batch whose response is sent from memory', async () => {
    const target = await shop();
    const path = `projects/${target.project.id}/effective/?environment=production`;
    const { client } = await createPerson(core, target.organization.id, 'VIEWER');
    await target.reader.get(`projects/${target.project.id}/`);
    const { headers } = await client.get(path);

    const { body } = await target.reader.post<BatchResponse>('batch/', {
      requests: [{ path, if_none_match: headers.etag }],
    });
    expect(body.results).toMatchObject([{ status: 304 }]);

    expect((await waitUntil(() => explained(target), isRead)).last_read_by?.name).toContain('viewer');
  });

  it('is not set by users, denied requests, reads of the past, and parameters without an environment', async () => {
    const fixture = await shop();
    const { organization, project, parameter, reader } = fixture;
    const { client } = await createPerson(core, organization.id, 'VIEWER');
    const path = `projects/${project.id}/effective/?environment=production`;

    expect((await client.get(path)).status).toBe(200);
    expect((await reader.get(`${path}&secret=maybe`)).status).toBe(400);
    expect((await reader.get(`${path}&revision=3`)).status).toBe(200);
    expect((await reader.get(parameter.url)).status).toBe(200);
    await untilRemembered(organization);

    expect((await explained(fixture)).last_read_at).toBeNull();
  });

  it('is not stored for names that the project does not show', async () => {
    const fixture = await shop();
    const path = `projects/${fixture.project.id}/parameter-export/?output=dotenv&environment=production`;
    await fixture.reader.get(`${path}&name=a%00b,NOT_THERE`);
    await waitUntil(() => explained(fixture), isRead);

    const { body } = await fixture.organization.owner.get<Page<Explanation>>(
      `projects/${fixture.project.id}/explain/?name=NOT_THERE&environment=production`,
    );
    expect(body.results[0]).toMatchObject({ name_last_read_at: null, last_read_by: { name: expect.any(String) } });
  });

  it('is the same on every core', async () => {
    const fixture = await shop();
    const { ownerAuthorization } = fixture.organization;
    const owner = new RawClient(second.origin, ownerAuthorization);
    await fixture.reader.get(`projects/${fixture.project.id}/effective/?environment=production`);

    const path = `projects/${fixture.project.id}/explain/?name=HOST&environment=production`;
    const { body } = await waitUntil(
      () => owner.get<Page<Explanation>>(path),
      ({ body }) => body.results.some(isRead),
    );

    expect(body.results[0]?.last_read_by?.name).toContain('viewer');
  });

  it('appears in findings that were requested with it', async () => {
    const fixture = await shop();
    await fixture.reader.get(`projects/${fixture.project.id}/effective/?environment=production`);
    await waitUntil(() => explained(fixture), isRead);
    await fixture.organization.parameter({ project: fixture.project, name: 'UNUSED' });
    const path = 'lint/?kind=unreferenced_parameter';

    const [without, withReads] = [
      await fixture.organization.owner.get<LintPage>(path),
      await fixture.organization.owner.get<LintPage>(`${path}&include=last_read`),
    ];

    expect(without.body.results).toMatchObject([{ name: 'UNUSED', last_read_at: null }]);
    expect(withReads.body.results).toMatchObject([
      { name: 'UNUSED', last_read_at: expect.any(String), last_read_by: { name: expect.stringContaining('viewer') } },
    ]);
  });

  it('appears in the plan of a deletion, as JSON and as text, and does not change its hash', async () => {
    const fixture = await shop();
    const { organization, reader, project, parameter } = fixture;
    const operations = [{ unset: { project: 'shop', environment: 'production', names: ['HOST'] } }];
    const before = await planned(fixture, ...operations);
    await reader.get(`projects/${project.id}/effective/?environment=production`);
    await waitUntil(() => explained(fixture), isRead);

    const after = await planned(fixture, ...operations);
    const { text } = await organization.owner.send('POST', 'changesets/plan/', {
      body: { operations },
      headers: { accept: 'text/plain' },
    });
    const deletion = {
      operation: 'projects_parameters_destroy',
      path: { project_pk: project.id, id: parameter.id },
    };

    const by = { name: expect.stringContaining('viewer') };
    expect(before.changes).toMatchObject([{ action: 'delete', last_read_at: null, last_read_by: null }]);
    expect(after.changes).toMatchObject([{ action: 'delete', last_read_at: expect.any(String), last_read_by: by }]);
    expect(after.plan_hash).toBe(before.plan_hash);
    expect(text).toContain('delete Value HOST in shop / production (last read by ');
    expect((await planned(fixture, deletion)).changes.map((change) => change.last_read_by)).toMatchObject([by, by]);
  });
});
