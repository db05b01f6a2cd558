import { readFileSync } from 'node:fs';
import type { Page, Parameter, ParameterType, Project, User, Value } from '@strata/contract';
import { ledgerProblems, type TestOrganization } from '@strata/testkit';
import pg from 'pg';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';

type RecordedValue = string | null | { readonly base64: string };

/** What a core of the release before says to its database: `node tools/record-statements.mjs` writes it. */
interface Recording {
  readonly texts: readonly string[];
  readonly steps: readonly {
    readonly name: string;
    readonly statements: readonly (readonly [number, readonly RecordedValue[]])[];
  }[];
}

const recording = JSON.parse(
  readFileSync(new URL('../../testing/release-before.json', import.meta.url), 'utf8'),
) as Recording;

let core: CoreInProcess;
let organization: TestOrganization;
let before: pg.Client;
beforeAll(async () => {
  core = await startCoreInProcess();
  organization = await core.organization();
  before = new pg.Client({ connectionString: core.database.url, options: '-c role=strata_app -c timezone=UTC' });
  await before.connect();
});
afterAll(async () => {
  await before.end();
  await core.close();
});

/** What is called otherwise in this database. */
async function wordsOf(organization: TestOrganization): Promise<Record<string, string>> {
  const { owner, id } = organization;
  const { body: types } = await owner.get<Page<ParameterType>>('types/?name=string');
  const { body: user } = await owner.get<User>('users/current/');
  return {
    organization: id,
    environment: (await organization.environmentNamed('default')).id,
    string: types.results[0]?.id ?? '',
    person: user.id,
  };
}

/** The head is taken by the first statement; what it says is what the others were told. */
async function replay(
  statements: Recording['steps'][number]['statements'],
  known: Readonly<Record<string, string>>,
): Promise<number> {
  await before.query('begin');
  const words: Record<string, string> = { ...known };
  for (const [index, values] of statements) {
    const filled = values.map((value) => {
      if (typeof value !== 'string') return value && Buffer.from(value.base64, 'base64');
      return value.replace(/\{\{(\w+)\}\}/g, (_, word: string) => words[word] ?? `no ${word}`);
    });
    await before.query(recording.texts[index] ?? '', filled);
    const { rows } = await before.query<{ revision: string; at: string }>(
      `select current_setting('strata.revision', true) as revision, current_setting('strata.at', true) as at`,
    );
    Object.assign(words, rows[0]);
  }
  await before.query('commit');
  return Number(words.revision);
}

describe('a core of the release before, on the schema of this one', () => {
  it('writes all that it did, beside writers of this release, and the ledger is whole', async () => {
    const known = await wordsOf(organization);
    const { owner } = organization;
    const value = await organization.value({ parameter: await organization.parameter() });
    const revisions: number[] = [];
    let isOver = false;
    const ours = Array.from({ length: 4 }, async (_, writer) => {
      const statuses: number[] = [];
      for (let n = 0; !isOver; n += 1) {
        const made = await owner.post('environments/', { name: `ours ${writer} ${n}` });
        const changed = await owner.patch<Value>(value.url, { internal_value: `ours ${writer} ${n}` });
        statuses.push(made.status, changed.status);
      }
      return statuses;
    });
    for (const { statements } of recording.steps) revisions.push(await replay(statements, known));
    isOver = true;

    const statuses = (await Promise.all(ours)).flat();
    expect(statuses.length).toBeGreaterThan(8);
    expect(statuses.filter((status) => status >= 300)).toEqual([]);
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
    expect(await ledgerProblems(core.database.url)).toEqual([]);

    // what they wrote is read by this release, now and as of then
    const { body: projects } = await owner.get<Page<Project>>('projects/?name=recorded');
    const [project] = projects.results;
    const named = async (revision?: number) => {
      const at = revision === undefined ? '' : `?revision=${revision}`;
      const { body } = await owner.get<Page<Parameter>>(`${project?.url}parameters/${at}`);
      return body.results.map(({ name }) => name).sort();
    };
    const revisionOf = (name: string) => revisions[recording.steps.findIndex((step) => step.name === name)];
    expect(await named()).toEqual(['NEW', 'Q']);
    expect(await named(revisionOf('another parameter is made'))).toEqual(['Q', 'R']);
    expect(await named(revisionOf('a parameter is made'))).toEqual(['P']);
  });
});
