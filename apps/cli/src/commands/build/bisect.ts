import type { RecordedChangeset } from '@strata/contract';
import { parseInstant, formatCount } from '@strata/domain';
import { type EffectiveState, type PointInTimeOptions, type ReadTarget, readEffective } from '../../api/effective.ts';
import { type Context, loadContext } from '../../core/context.ts';
import { defineCommand, optionalList, requiredArgument, requiredText, textOption } from '../../core/define-command.ts';
import { CommandError, EXIT, invalidInputError } from '../../core/errors.ts';
import { maskTexts } from '../../core/names-only.ts';
import { ALLOW_NAME, SCOPE_OPTIONS } from '../../core/options.ts';
import { printNote, paint, print, printJson, shownText } from '../../core/output.ts';
import { type AcceptedNames, readAcceptedNames } from '../../core/programs/accepted-names.ts';
import { childEnvironment, describeInvalidEnvironment } from '../../core/programs/child-environment.ts';
import {
  exitLike,
  forwardSignals,
  Program,
  type ProgramEnd,
  type ProgramOptions,
} from '../../core/programs/child-process.ts';
import { projectFile } from '../../core/project-file.ts';
import { changesetLines } from '../../render/changesets.ts';
import { bisect, type CheckResult } from './bisect/bisection.ts';

/** A value that a changeset changed. Secrets have no texts. */
interface ChangedValue {
  readonly name: string;
  readonly secret: boolean;
  readonly before?: string | null | undefined;
  readonly after?: string | null | undefined;
}

/** The exit code with which a check says that a revision cannot be checked, as for `git bisect run`. */
const SKIP = 125;
const CHANGESETS_SHOWN = 20;
/** Standard output contains only the result of the search. */
const OF_CHECKS: ProgramOptions = { stdio: ['ignore', 2, 'inherit'], ownGroup: true };

/** Finds the changeset that makes a check fail, by running it with the values of earlier revisions. */
export const command = defineCommand({
  description: 'find the changeset that makes a check fail, by running it with the values of earlier revisions',
  usage: '[options] -- <check> [arguments...]',
  arguments: {
    check: requiredArgument('a program that exits with 0 for good, 125 to skip, and another code for bad'),
    arguments: optionalList('its arguments'),
  },
  options: {
    ...{ ...SCOPE_OPTIONS, allowName: ALLOW_NAME },
    good: requiredText('--good <revision>', 'a revision, a time or a tag at which the check succeeds'),
    bad: textOption('--bad <revision>', 'a revision, a time or a tag at which it fails (default: now)'),
  },
  passesOptionsThrough: true,
  async run({ check, arguments: args }, options) {
    const context = await loadContext(options);
    const states = new States(await findIds(context));
    const [good, bad] = [await states.at(momentIn(options.good)), await states.at(momentIn(options.bad))];
    requireRange(good, bad);
    const checks = new Checks([check, ...args], readAcceptedNames(projectFile(process.cwd()), options.allowName));
    await requireResult(checks, good, 'good');
    await requireResult(checks, bad, 'bad');
    const revisions = await bisect(good.revision, bad.revision, {
      stateAt: async (revision) => (await states.digestAt(revision)) ?? 'unknown',
      check: async (revision) => {
        const state = await states.valuesAt(revision);
        return state === null ? 'skip' : checks.run(state);
      },
    });
    await report(context, states, revisions, options);
  },
});

/** Returns the present project and environment by ids, because they can have had other names. */
async function findIds({ client, project, environment }: Context): Promise<ReadTarget> {
  const id = await client.environmentId(environment);
  return { client, project: await client.projectId(project), environment: id };
}

/** How many revisions keep their values, which can be large. */
const RECENT_MAX = 4;

/** The values at revisions. All of their digests are kept, but only the values that were read last. */
class States {
  /** A digest is null if the values of its revision cannot be evaluated, or if the project did not exist. */
  private readonly digests = new Map<number, string | null>();
  private readonly recent = new Map<number, EffectiveState>();

  constructor(private readonly target: ReadTarget) {}

  async at(moment: PointInTimeOptions): Promise<EffectiveState> {
    const state = await readEffective(this.target, { ...moment, reveal: true });
    this.keep(state.revision, state);
    return state;
  }

  async digestAt(revision: number): Promise<string | null> {
    if (!this.digests.has(revision)) await this.valuesAt(revision);
    return this.digests.get(revision) ?? null;
  }

  async valuesAt(revision: number): Promise<EffectiveState | null> {
    if (this.digests.get(revision) === null) return null;
    const recentState = this.recent.get(revision);
    if (recentState) return recentState;
    const state = await this.orNull(revision);
    this.keep(revision, state);
    return state;
  }

  private keep(revision: number, state: EffectiveState | null): void {
    this.digests.set(revision, state?.digest ?? null);
    if (state === null) return;
    this.recent.set(revision, state);
    const [oldest] = this.recent.keys();
    if (oldest !== undefined && this.recent.size > RECENT_MAX) this.recent.delete(oldest);
  }

  private async orNull(revision: number): Promise<EffectiveState | null> {
    try {
      return await readEffective(this.target, { revision: String(revision), reveal: true });
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      if (error.exitCode !== EXIT.notFound && error.details.code !== 'evaluation_failed') throw error;
      printNote(`Revision ${revision}: skipped. ${error.message}`);
      return null;
    }
  }
}

/** Runs the check with the values of a revision. */
class Checks {
  private program: Program | null = null;
  private readonly endingSignal = forwardSignals(() => this.program);

  constructor(
    private readonly command: readonly string[],
    private readonly accepted: AcceptedNames,
  ) {}

  async run(state: EffectiveState): Promise<CheckResult> {
    const { code, signal } = await this.end(state);
    const ending = this.endingSignal();
    if (ending !== null) return this.stop(ending);
    // Servers that the check has left behind would answer the next one.
    await this.program?.stop();
    const result = code === 0 ? 'good' : code === SKIP ? 'skip' : 'bad';
    printNote(`Revision ${state.revision}: ${WORDS[result]} (${signal ?? `exit code ${code}`})`);
    return result;
  }

  private async end({ revision, values }: EffectiveState): Promise<ProgramEnd> {
    const texts = Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value]));
    const problem = describeInvalidEnvironment(texts, this.accepted);
    if (problem !== null) throw invalidInputError(`Revision ${revision}: ${problem}`);
    const [command = '', ...args] = this.command;
    if (this.endingSignal() === null)
      this.program = new Program(command, args, childEnvironment(process.env, texts), OF_CHECKS);
    return (await this.program?.ended) ?? { code: null, signal: null };
  }

  /** Ends this process by the signal that ended the check. */
  private async stop(signal: NodeJS.Signals): Promise<never> {
    await this.program?.waitForGroup();
    printNote('Stopped. To continue, pass the last good and the first bad revision above as --good and --bad.');
    exitLike({ code: null, signal });
    return new Promise(() => undefined);
  }
}

const WORDS: Readonly<Record<CheckResult, string>> = { good: 'good', bad: 'bad', skip: 'skipped' };

/** Reads a revision, a time or the name of a tag; the present without one. */
function momentIn(text: string | undefined): PointInTimeOptions {
  if (text === undefined) return {};
  if (/^\d+$/.test(text)) return { revision: text };
  return parseInstant(text) === null ? { tag: text } : { asOf: text };
}

function requireRange(good: EffectiveState, bad: EffectiveState): void {
  if (good.revision >= bad.revision)
    throw invalidInputError(
      `The good revision must be earlier than the bad one: ${good.revision} is not before ${bad.revision}.`,
      '`strata history` lists the revisions.',
    );
  if (good.digest === bad.digest)
    throw new CommandError(
      EXIT.failed,
      `The values are the same at the revisions ${good.revision} and ${bad.revision}, so no change of them made the check fail.`,
    );
}

async function requireResult(checks: Checks, state: EffectiveState, expected: 'good' | 'bad'): Promise<void> {
  const result = await checks.run(state);
  if (result === expected) return;
  const outcome = result === 'skip' ? 'is skipped' : result === 'bad' ? 'fails' : 'succeeds';
  throw new CommandError(
    EXIT.failed,
    `The check ${outcome} at revision ${state.revision}, which should be ${expected}.`,
    {
      hint: `Choose another revision with --${expected}.`,
    },
  );
}

async function report(context: Context, states: States, revisions: readonly number[], { json }: { readonly json?: boolean }) {
  const { client, project, environment } = context;
  const shown = revisions.slice(0, CHANGESETS_SHOWN);
  const changesets: { readonly changeset: RecordedChangeset; readonly values: readonly ChangedValue[] }[] = [];
  for (const revision of shown)
    changesets.push({
      changeset: await client.call('changesets_retrieve', { path: { revision: String(revision) } }),
      values: listChanges(await states.valuesAt(revision - 1), await states.valuesAt(revision)),
    });
  const [only] = revisions.length === 1 ? revisions : [];
  if (json)
    printJson({
      first_bad: only ?? null,
      changesets: changesets.map(({ changeset, values }) => ({ ...(maskTexts(changeset) as object), values })),
    });
  else
    print(
      changesets
        .map(({ changeset, values }) => [
          ...changesetLines(changeset),
          paint('bold', `Values of ${project} in ${environment}`),
          ...values.map(changeLine),
        ])
        .map((lines) => lines.join('\n'))
        .join('\n\n'),
    );
  if (only !== undefined) return printNote(`\nRevision ${only} made the check fail. Next: strata revert ${only}`);
  throw new CommandError(
    EXIT.failed,
    `One of these changesets made the check fail: ${shown.join(', ')}${revisions.length > shown.length ? ' …' : ''}.`,
    { hint: `The check was skipped between them, so ${formatCount(revisions.length, 'changeset')} remain.` },
  );
}

function listChanges(before: EffectiveState | null, after: EffectiveState | null): readonly ChangedValue[] {
  if (before === null || after === null) return [];
  const names = new Set([...Object.keys(before.values), ...Object.keys(after.values)]);
  return [...names].sort().flatMap((name) => {
    const [old, now] = [before.values[name], after.values[name]];
    if (old?.value === now?.value) return [];
    const secret = (old?.secret || now?.secret) ?? false;
    return [{ name, secret, ...(!secret && { before: old?.value, after: now?.value }) }];
  });
}

function changeLine({ name, secret, before, after }: ChangedValue): string {
  if (secret) return `  ${name}: changed (secret)`;
  const [old, now] = [before, after].map((text) => (text === undefined ? paint('dim', 'not set') : shownText(text)));
  return `  ${name}: ${old} → ${now}`;
}
