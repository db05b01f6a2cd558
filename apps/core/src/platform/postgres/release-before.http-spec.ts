import { readFileSync } from 'node:fs';
import type { Page, Parameter, ParameterType, Project, User, Value } from '@strata/contract';
import { ledgerProblems, type TestOrganization } from '@strata/testkit';
import pg from 'pg';
import { type CoreInProcess, startCoreInProcess } from '../../testing/core-in-process.ts';
import { query } from '../../testing/query.ts';

type RecordedValue = string | null | { readonly base64: string };

/** The statements that a core of the previous release sends. `node tools/record-statements.mjs` records them. */
interface Recording {
  readonly texts: readonly string[];
  readonly steps: readonly {
    readonly name: string;
    /** For reads: a text that the result must contain. */
    readonly tells?: string;
    readonly statements: readonly (readonly [number, readonly RecordedValue[]])[];
  }[];
}

type RecordedStatements = Recording['steps'][number]['statements'];

/** The result of a statement that reads or advances the head. */
interface HeadRow {
  readonly revision?: string;
  readonly at?: string;
  readonly nextAt?: string;
  readonly set_config?: string;
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
  before = new pg.Client({
    connectionString: core.database.url,
    options: '-c role=strata_app -c timezone=UTC',
    // selected as the core sends them, because an instant must keep its microseconds
    types: { getTypeParser: () => String },
  });
  await before.connect();
  // The previous release sends no tokens, so row-level security cannot be enforced beside it.
  await query(
    core,
    `do $$
     declare enforced record;
     begin
       for enforced in select relname from pg_class where relnamespace = 'public'::regnamespace and relforcerowsecurity loop
         execute format('alter table %I disable row level security, no force row level security', enforced.relname);
       end loop;
     end $$`,
  );
});
afterAll(async () => {
  await before.end();
  await core.close();
});

/** Returns the ids that differ in this database, by the placeholders of the recording. */
async function readIds(organization: TestOrganization): Promise<Record<string, string>> {
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

/** Sends the recorded statements with the ids of this database. Each write adds the revision that it creates. */
class Replay {
  /** The revisions that were written, in order. */
  readonly revisions: number[] = [];

  constructor(private readonly ids: Record<string, string>) {}

  async write(statements: RecordedStatements): Promise<void> {
    await before.query('begin');
    for (const statement of statements) this.recordRevision(await this.run(statement));
    await before.query('commit');
    this.revisions.push(Number(this.ids[`revision:${this.revisions.length + 1}`]));
  }

  /** Returns all rows that the statements read, as JSON. */
  async read(statements: RecordedStatements): Promise<string> {
    const read: string[] = [];
    for (const statement of statements) read.push(JSON.stringify((await this.run(statement)).rows));
    return read.join('\n');
  }

  private run([index, values]: RecordedStatements[number]): Promise<pg.QueryResult<HeadRow>> {
    const filled = values.map((value) => {
      if (typeof value !== 'string') return value && Buffer.from(value.base64, 'base64');
      return value.replace(/\{\{([\w:]+)\}\}/g, (_, word: string) => this.ids[word] ?? `no ${word}`);
    });
    return before.query<HeadRow>(recording.texts[index] ?? '', filled);
  }

  /** Records the next revision, which the statement that locks or advances the head returns. */
  private recordRevision({ rows: [row] }: pg.QueryResult<HeadRow>): void {
    const number = this.revisions.length + 1;
    if (row?.nextAt !== undefined) {
      this.ids[`revision:${number}`] = String(Number(row.revision) + 1);
      this.ids.at = row.nextAt;
    } else if (row?.set_config !== undefined) {
      this.ids[`revision:${number}`] = String(row.revision);
      this.ids.at = String(row.at);
    }
  }
}

describe("a core of the previous release on this release's schema", () => {
  it('writes and reads everything as before, next to writers of this release, and the ledger is consistent', async () => {
    const replay = new Replay(await readIds(organization));
    const { owner } = organization;
    const value = await organization.value({ parameter: await organization.parameter() });
    let isOver = false;
    const ours = Array.from({ length: 4 }, async (_, writer) => {
      const statuses: number[] = [];
      for (let n = 0; !isOver; n += 1) {
        const createResponse = await owner.post('environments/', { name: `ours ${writer} ${n}` });
        const changeResponse = await owner.patch<Value>(value.url, { internal_value: `ours ${writer} ${n}` });
        statuses.push(createResponse.status, changeResponse.status);
      }
      return statuses;
    });
    const missing: string[] = [];
    try {
      for (const { name, tells, statements } of recording.steps) {
        if (tells === undefined) await replay.write(statements);
        else if (!(await replay.read(statements)).includes(tells)) missing.push(name);
      }
    } finally {
      isOver = true;
      await Promise.allSettled(ours);
    }

    const statuses = (await Promise.all(ours)).flat();
    expect(statuses.length).toBeGreaterThan(8);
    expect(statuses.filter((status) => status >= 300)).toEqual([]);
    const { revisions } = replay;
    expect(missing).toEqual([]);
    expect(recording.steps.filter(({ tells }) => tells !== undefined).length).toBeGreaterThan(10);
    expect(revisions).toEqual([...new Set(revisions)].sort((a, b) => a - b));
    expect(await ledgerProblems(core.database.url)).toEqual([]);

    // this release reads the rows, now and at their revision
    const { body: projects } = await owner.get<Page<Project>>('projects/?name=recorded');
    const [project] = projects.results;
    const named = async (revision?: number) => {
      const at = revision === undefined ? '' : `?revision=${revision}`;
      const { body } = await owner.get<Page<Parameter>>(`${project?.url}parameters/${at}`);
      return body.results.map(({ name }) => name).sort();
    };
    const written = recording.steps.filter(({ tells }) => tells === undefined).map(({ name }) => name);
    const findRevision = (name: string) => revisions[written.indexOf(name)];
    expect(await named()).toEqual(['NEW', 'Q']);
    expect(await named(findRevision('another parameter is made'))).toEqual(['Q', 'R']);
    expect(await named(findRevision('a parameter is made'))).toEqual(['P']);
  });
});
