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
    /** Of what was read: a text that must be in it. */
    readonly tells?: string;
    readonly statements: readonly (readonly [number, readonly RecordedValue[]])[];
  }[];
}

type RecordedStatements = Recording['steps'][number]['statements'];

/** What a statement on the head says. */
interface Told {
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
    // as they are sent: an instant that is told is said again to the microsecond
    types: { getTypeParser: () => String },
  });
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

/** Says what the core of before said, with what is called otherwise here; the words grow with the revisions that it makes. */
class Replay {
  /** Of what was written, in this order. */
  readonly revisions: number[] = [];

  constructor(private readonly words: Record<string, string>) {}

  async write(statements: RecordedStatements): Promise<void> {
    await before.query('begin');
    for (const statement of statements) this.learn(await this.say(statement));
    await before.query('commit');
    this.revisions.push(Number(this.words[`revision:${this.revisions.length + 1}`]));
  }

  /** Everything that is read. */
  async read(statements: RecordedStatements): Promise<string> {
    const read: string[] = [];
    for (const statement of statements) read.push(JSON.stringify((await this.say(statement)).rows));
    return read.join('\n');
  }

  private say([index, values]: RecordedStatements[number]): Promise<pg.QueryResult<Told>> {
    const filled = values.map((value) => {
      if (typeof value !== 'string') return value && Buffer.from(value.base64, 'base64');
      return value.replace(/\{\{([\w:]+)\}\}/g, (_, word: string) => this.words[word] ?? `no ${word}`);
    });
    return before.query<Told>(recording.texts[index] ?? '', filled);
  }

  /** Whoever holds the head is told the revision that comes next, or takes it. */
  private learn({ rows: [row] }: pg.QueryResult<Told>): void {
    const number = this.revisions.length + 1;
    if (row?.nextAt !== undefined) {
      this.words[`revision:${number}`] = String(Number(row.revision) + 1);
      this.words.at = row.nextAt;
    } else if (row?.set_config !== undefined) {
      this.words[`revision:${number}`] = String(row.revision);
      this.words.at = String(row.at);
    }
  }
}

describe('a core of the release before, on the schema of this one', () => {
  it('writes and reads all that it did, beside writers of this release, and the ledger is whole', async () => {
    const replay = new Replay(await wordsOf(organization));
    const { owner } = organization;
    const value = await organization.value({ parameter: await organization.parameter() });
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
    const untold: string[] = [];
    try {
      for (const { name, tells, statements } of recording.steps) {
        if (tells === undefined) await replay.write(statements);
        else if (!(await replay.read(statements)).includes(tells)) untold.push(name);
      }
    } finally {
      isOver = true;
      await Promise.allSettled(ours);
    }

    const statuses = (await Promise.all(ours)).flat();
    expect(statuses.length).toBeGreaterThan(8);
    expect(statuses.filter((status) => status >= 300)).toEqual([]);
    const { revisions } = replay;
    expect(untold).toEqual([]);
    expect(recording.steps.filter(({ tells }) => tells !== undefined).length).toBeGreaterThan(10);
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
    const written = recording.steps.filter(({ tells }) => tells === undefined).map(({ name }) => name);
    const revisionOf = (name: string) => revisions[written.indexOf(name)];
    expect(await named()).toEqual(['NEW', 'Q']);
    expect(await named(revisionOf('another parameter is made'))).toEqual(['Q', 'R']);
    expect(await named(revisionOf('a parameter is made'))).toEqual(['P']);
  });
});
