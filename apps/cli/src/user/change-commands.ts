import type { AppliedChangeset, ChangesetChange, Plan } from '@strata/contract';
import { withoutHidden } from '@strata/domain';
import type { Query } from '@strata/rest-client';
import { type Client, HINTS_OF_CODES } from './client.ts';
import { CommandError, EXIT, invalid } from './command-error.ts';
import { contextOf, type TargetOptions } from './context.ts';
import { single } from './http-request.ts';
import { namesOnly } from './names-only.ts';
import { type ChangeOptions, changesetOf } from './operations.ts';
import { counted, note, paint, print, printJson } from './output.ts';
import { confirm } from './prompt.ts';

type Options = TargetOptions & ChangeOptions;

interface PlanOptions extends Options {
  readonly assumeWrite?: boolean;
}

interface ApplyOptions extends Options {
  readonly plan?: string;
  readonly yes?: boolean;
}

interface RevertOptions extends TargetOptions {
  readonly message?: string;
  readonly onConflict?: string;
  readonly plan?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** The response for a changeset or a revert that was stored. */
type Stored = Pick<AppliedChangeset, 'revision'> &
  Partial<Pick<AppliedChangeset, 'operations'>> & {
    readonly url: string | null;
    readonly changes?: readonly ChangesetChange[];
  };

/** Sets values of the selected project and environment. */
export async function set(assignments: readonly string[], options: Options): Promise<void> {
  const context = await contextOf(options);
  await store(context.client, 'changesets/', await changesetOf(context, assignments, options), options);
}

/** Deletes values, so that the inherited ones apply. */
export async function unset(names: readonly string[], options: Options): Promise<void> {
  const context = await contextOf(options);
  await store(context.client, 'changesets/', await changesetOf(context, [], { ...options, unset: names }), options);
}

/** Prints what a changeset would do, and its hash. */
export async function plan(assignments: readonly string[], options: PlanOptions): Promise<void> {
  const context = await contextOf(options);
  await printPlan(context.client, 'changesets/', await changesetOf(context, assignments, options), {
    ...{ json: options.json, assumeWrite: options.assumeWrite ?? false },
  });
}

/** Applies a changeset: as it was planned, or after the user has confirmed the plan. */
export async function apply(assignments: readonly string[], options: ApplyOptions): Promise<void> {
  const context = await contextOf(options);
  await planAndStore(context.client, 'changesets/', await changesetOf(context, assignments, options), options);
}

/** Reverts a changeset. */
export async function revert(revision: string, options: RevertOptions): Promise<void> {
  if (!/^\d+$/.test(revision)) throw invalid('A revision is a number.', '`strata history` lists them.');
  const { client } = await contextOf(options);
  const { message, onConflict } = options;
  const body = { ...(message && { message }), ...(onConflict && { on_conflict: onConflict }) };
  const path = `changesets/${revision}/revert/`;
  if (options.dryRun) return printPlan(client, path, body, { json: options.json });
  await planAndStore(client, path, body, options);
}

/** Applies with a plan hash, at once with --yes, and otherwise after a confirmation. */
export async function planAndStore(
  client: Client,
  path: string,
  body: object,
  { plan: hash, yes = false, json, hint }: Pick<ApplyOptions, 'plan' | 'yes' | 'json'> & { readonly hint?: string },
): Promise<void> {
  if (hash !== undefined) return store(client, path, { ...body, plan_hash: hash }, { json });
  if (yes) return store(client, path, body, { json });
  const planned = await planText(client, path, body);
  note(planned.text);
  if (planned.isRefused) throw refusedPlan(planned.text);
  if (await confirm('Apply these changes?', hint))
    return store(client, path, { ...body, plan_hash: planned.hash }, { json });
  throw new CommandError(EXIT.failed, 'Nothing was changed.');
}

async function planText(client: Client, path: string, body: object, query: Query = {}) {
  const sent = { body, accept: 'text/plain', query };
  const { body: lines, headers } = await client.send<string>('POST', `${path}plan/`, sent);
  const text = withoutHidden(lines.trimEnd(), '\n');
  return {
    text,
    hash: single(headers, 'x-plan-hash') ?? '',
    isRefused: /^Rejected operations: /m.test(text),
  };
}

/** Returns a plan without the objects that it depends on, which have no names. */
export async function readPlan(
  client: Client,
  path: string,
  body: object,
  query: Query = {},
): Promise<Omit<Plan, 'objects'>> {
  const { objects: _, ...plan } = await client.post<Plan>(`${path}plan/`, body, { query });
  return plan;
}

const ASSUME_WRITE = 'If your role cannot write, add --assume-write to plan.';

/** Prints what a changeset would do, and its hash. Throws if Strata would reject an operation. */
export async function printPlan(
  client: Client,
  path: string,
  body: object,
  { json, assumeWrite }: Pick<PlanOptions, 'json' | 'assumeWrite'>,
): Promise<void> {
  const query = { assume_write: assumeWrite };
  const hints = assumeWrite === false ? { ...HINTS_OF_CODES, forbidden: ASSUME_WRITE } : HINTS_OF_CODES;
  if (json) {
    const plan = await readPlan(client, path, body, query);
    printJson(namesOnly(plan));
    if (plan.totals.refusals > 0) throw refusedPlan(JSON.stringify(plan.refusals), hints);
    return;
  }
  const { text, hash, isRefused } = await planText(client, path, body, query);
  print(`${text}\n\n${paint('bold', 'Plan hash')} ${hash}`);
  if (isRefused) throw refusedPlan(text, hints);
}

/** Returns the error for a plan with rejected operations. `shown` contains their error codes. */
function refusedPlan(shown: string, hints = HINTS_OF_CODES): CommandError {
  const matching = Object.entries(hints).filter(([code]) => shown.includes(code));
  return new CommandError(EXIT.checkFailed, 'The plan contains operations that Strata would reject.', {
    hint: ['Correct them, and plan again.', ...matching.map(([, hint]) => hint)].join(' '),
  });
}

async function store(client: Client, path: string, body: object, { json }: TargetOptions): Promise<void> {
  const stored = await client.post<Stored>(path, body, { isWrite: true });
  const changes = stored.changes ?? stored.operations?.flatMap((operation) => operation.changes ?? []) ?? [];
  const isChanged = stored.url !== null;
  if (json) return printJson({ revision: stored.revision, changed: isChanged, changes: namesOnly(changes) });
  if (!isChanged) return print('Nothing has changed: the configuration already has these values.');
  print(
    [
      `Revision ${stored.revision}: ${counted(changes.length, 'change')}`,
      ...changes.map((change) => `  ${describedChange(change)}`),
    ].join('\n'),
  );
}

export function describedChange(change: ChangesetChange): string {
  const { action, object_type: type, object_name: name, project_name: project, environment_name: environment } = change;
  const scope = [project, environment].filter((part) => part !== null && part !== name).join(' / ');
  return `${action} ${type} ${name}${scope ? ` in ${scope}` : ''}`;
}
