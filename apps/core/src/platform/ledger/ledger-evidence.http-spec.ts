import type { Page, ParameterType, Value } from '@strata/contract';
import {
  type LedgerProblem,
  type LedgerQuery,
  type TreeHead,
  type VerifiedLedger,
  verifyStoredLedger,
} from '@strata/evidence';
import { countCases, type TestOrganization } from '@strata/testkit';
import fc from 'fast-check';
import pg from 'pg';
import { ContentManipulations } from '../../testing/content-manipulations.ts';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';
import { insertUnlinked } from '../../testing/large-write.ts';
import { LedgerManipulations } from '../../testing/ledger-manipulations.ts';

let core: CoreInProcess;
let client: pg.Client;
let organization: TestOrganization;
/** The state of the untouched ledger at its end. */
let end: TreeHead;
beforeAll(async () => {
  core = await startCoreInProcess();
  client = new pg.Client({ connectionString: core.database.url });
  await client.connect();
  organization = await core.organization();
  await writeInAllWays(organization);
  end = (await verify()).treeHead;
});
afterAll(async () => {
  await client.end();
  await core.close();
});

const query: LedgerQuery = async (text, values) => (await client.query(text, [...values])).rows;
const verify = (checkpoints: readonly TreeHead[] = [], { id } = organization, previous?: VerifiedLedger) =>
  verifyStoredLedger(query, id, { checkpoints, previous });

/** Writes with commands, changesets, in groups, and at once. Requests of each group fail. */
async function writeInAllWays(target: TestOrganization): Promise<void> {
  const { owner } = target;
  const values: Value[] = [];
  for (const name of ['a', 'b', 'c'])
    values.push(await target.value({ parameter: await target.parameter({ name }), internal_value: '0' }));
  for (let round = 0; round < 3; round += 1) {
    const group = values.flatMap(({ url }, at) => [
      owner.patch(url, { internal_value: `${round} ${at}` }),
      owner.post('environments/', { name: `environment ${at}` }),
    ]);
    const statuses = (await Promise.all(group)).map(({ status }) => status);
    if (round > 0) expect(new Set(statuses)).toEqual(new Set([200, 400]));
    const operations = ['x', 'y'].map((name) => ({
      operation: 'environments_create',
      body: { name: `${name}${round}` },
    }));
    const message = `round ${round}: Ünï, "quoted"\n`;
    expect((await owner.post('changesets/', { message, external_ref: '', operations })).status).toBe(201);
    for (const { url } of values) await owner.patch(url, { internal_value: `again ${round}` });
  }
  await writeOtherContents(target);
}

/** Writes and deletes rows of each table with contents, among them secrets. */
async function writeOtherContents(target: TestOrganization): Promise<void> {
  const { owner } = target;
  const created = async <T extends { readonly url: string }>(path: string, input: object): Promise<T> => {
    const { status, body } = await owner.post<T>(path, input);
    expect(status).toBe(201);
    return body;
  };
  const project = await target.project({ name: 'contents' });
  const secret = await target.parameter({ project, name: 'secret', secret: true });
  const value = await target.value({ parameter: secret, internal_value: 'a secret' });
  await owner.patch(value.url, { internal_value: 'another secret' });
  const { body: types } = await owner.get<Page<ParameterType>>('types/?name=string');
  const type = await created('types/', { name: 'code', parent: types.results[0]?.url });
  await created(`${type.url}rules/`, { type: 'max_len', constraint: '9' });
  await created(`${type.url}rules/`, { type: 'min_len', constraint: '1' });
  const typedParameter = await target.parameter({ project, name: 'typed', type: 'code' });
  const rule = await created(`${typedParameter.url}rules/`, { type: 'max_len', constraint: '8' });
  await owner.patch(rule.url, { constraint: '7' });
  const template = await created(`${project.url}templates/`, { name: 'template', body: '{{ typed }}' });
  await owner.patch(template.url, { body: '{{ secret }}' });
  const doomed = await target.project({ name: 'doomed' });
  await target.value({ parameter: await target.parameter({ project: doomed }) });
  await created(`${doomed.url}templates/`, { name: 'template', body: 'text' });
  expect((await owner.delete(doomed.url)).status).toBe(204);
}

/** Runs manipulations, inspects the result, and undoes them. */
async function manipulated<T>(
  manipulate: (manipulations: LedgerManipulations) => Promise<void>,
  inspect: () => Promise<T>,
): Promise<T> {
  await client.query('begin');
  try {
    await manipulate(new LedgerManipulations(client, organization.id));
    return await inspect();
  } finally {
    await client.query('rollback');
  }
}

/** Runs a property for revisions that are neither the first nor the last one. */
const atRevisions = (property: (revision: number, choice: number) => Promise<void>) =>
  fc.assert(fc.asyncProperty(fc.integer({ min: 2, max: end.size - 1 }), fc.nat(200), property), {
    numRuns: countCases(100),
  });

it('finds no problem in a ledger that was written in all ways, from its first revision on', async () => {
  const { problems, unlinked, verified } = await verify([end]);
  expect([problems, unlinked]).toEqual([[], []]);
  expect(verified.revision).toBeGreaterThan(30);
});

describe('a verification without checkpoints', () => {
  it.each([
    ['a changed row', 'changeRow'],
    ['a removed row', 'removeRow'],
    ['an inserted row', 'insertRow'],
    ['exchanged revisions', 'reorder'],
  ] as const)('finds %s', (_, kind) =>
    atRevisions(async (revision, choice) => {
      const { problems } = await manipulated(
        (manipulations) => manipulations[kind](revision, choice),
        () => verify(),
      );
      expect(problems).not.toEqual([]);
    }),
  );

  it('finds a head that is not the end of the ledger', async () => {
    for (const assignment of ['revision = revision + 1', 'link = sha256(link)', 'link_revision = 1', 'link = null']) {
      await client.query('begin');
      await client.query(`update organization_head set ${assignment} where organization_id = $1`, [organization.id]);
      const { problems } = await verify();
      await client.query('rollback');
      expect(problems).not.toEqual([]);
    }
  });
});

describe('a verification with checkpoints', () => {
  it('finds a removed end', () =>
    atRevisions(async (revision) => {
      const { problems } = await manipulated(
        (manipulations) => manipulations.cutEnd(revision),
        () => verify([end]),
      );
      const lastProblem = {
        revision: revision - 1,
        text: expect.stringContaining(`a checkpoint has signed ${end.size}`),
      };
      expect(problems[0]).toEqual(lastProblem);
    }));

  it('finds a changed row even if all changesets were linked again', () =>
    atRevisions(async (revision, choice) => {
      const { problems } = await manipulated(
        (manipulations) => manipulations.rewrite(revision, choice),
        () => verify([end]),
      );
      expect(problems.map((problem) => problem.revision)).toContain(end.size);
    }));

  it('finds that two people were shown different histories', () =>
    atRevisions(async (revision, choice) => {
      const rewrittenEnd = await manipulated(
        (manipulations) => manipulations.rewrite(revision, choice),
        async () => (await verify()).treeHead,
      );
      expect((await verify([rewrittenEnd])).problems).not.toEqual([]);
    }));
});

it('continues an earlier verification, and finds that the history before was linked again', async () => {
  const grown = await core.organization();
  await grown.parameter();
  const { verified } = await verify([], grown);
  await grown.parameter();
  const latest = await verify([], grown);
  const continued = await verify([latest.treeHead], grown, JSON.parse(JSON.stringify(verified)) as VerifiedLedger);
  expect([continued.problems, continued.verified]).toEqual([[], latest.verified]);
  await client.query('begin');
  await new LedgerManipulations(client, grown.id).rewrite(2, 1);
  const { problems } = await verify([], grown, verified);
  await client.query('rollback');
  expect(problems[0]).toEqual({ revision: verified.revision, text: expect.stringContaining('earlier verification') });
});

describe('a verification of contents', () => {
  const atVersions = (
    kind: 'change' | 'remove' | 'insert' | 'exchange' | 'end',
    inspect: (problems: readonly LedgerProblem[]) => void,
  ) =>
    fc.assert(
      fc.asyncProperty(fc.nat(10_000), fc.nat(200), async (at, choice) => {
        await client.query('begin');
        try {
          await (await ContentManipulations.begin(client, organization.id))[kind](at, choice);
          inspect((await verify([end])).problems);
        } finally {
          await client.query('rollback');
        }
      }),
      { numRuns: countCases(100) },
    );

  it.each([
    ['a changed row', 'change'],
    ['a removed row', 'remove'],
    ['an inserted row', 'insert'],
    ['exchanged contents', 'exchange'],
    ['a row that ends earlier or later', 'end'],
  ] as const)('finds %s', (_, kind) => atVersions(kind, (problems) => expect(problems).not.toEqual([])));
});

describe('revisions without links', () => {
  it('are reported, and the next revision is linked to the last link before them', async () => {
    const upgraded = await core.organization();
    const value = await upgraded.value({ parameter: await upgraded.parameter() });
    const before = (await verify([], upgraded)).verified.revision;
    await insertUnlinked(core, upgraded, 1);
    for (const text of ['after', 'later'])
      expect((await upgraded.owner.patch(value.url, { internal_value: text })).status).toBe(200);

    const { problems, unlinked, verified } = await verify([], upgraded);
    expect([unlinked, verified.revision]).toEqual([[{ from: before + 1, to: before + 1 }], before + 3]);
    expect(problems).toEqual([]);
  });
});
