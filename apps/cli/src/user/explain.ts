import type { Explanation, Page } from '@strata/contract';
import { CommandError, EXIT } from './command-error.ts';
import { type Context, contextOf } from './context.ts';
import { namesOnly } from './names-only.ts';
import { paint, print, printJson, shownText } from './output.ts';
import { momentOf, type ReadOptions } from './read-commands.ts';

/** Prints why a value is effective, or why there is none. */
export async function explain(name: string, options: ReadOptions): Promise<void> {
  const context = await contextOf(options);
  const explanation = await readExplanation(context, name, options);
  const { project, environment } = context;
  if (options.json) printJson(namesOnly(explanation));
  else print(linesOf(explanation).join('\n'));
  if (!explanation.winner)
    throw new CommandError(EXIT.notFound, `"${name}" has no value in project "${project}" in "${environment}".`);
}

export async function readExplanation(
  { client, project, environment }: Context,
  name: string,
  { reveal = false, ...options }: ReadOptions,
): Promise<Explanation> {
  const query = { environment, name, mask_secrets: !reveal, ...momentOf(options) };
  const path = `projects/${await client.projectId(project)}/explain/`;
  const { results } = await client.get<Page<Explanation>>(path, query);
  const [explanation] = results;
  if (explanation) return explanation;
  throw new CommandError(EXIT.notFound, `"${name}" cannot be explained in project "${project}".`);
}

function linesOf(explanation: Explanation): readonly string[] {
  const { name, winner, reason, next, candidates, made_of: parts, needed_by: users, since } = explanation;
  const first = winner
    ? [
        `${paint('bold', name)} = ${shownText(winner.value)}`,
        row('Set in', `${winner.project_name} / ${winner.environment_name}`),
        row('Type', winner.secret ? `${winner.type}, secret` : winner.type),
        ...(winner.interpolated ? [row('Text', shownText(winner.internal_value))] : []),
        ...(winner.problem ? [row('Problem', winner.problem)] : []),
      ]
    : [`${paint('bold', name)} has no value: ${reason?.detail ?? 'not set'}`, ...nearest(reason)];
  const change = since && [since.action, since.object_type, since.object_name].filter(Boolean).join(' ');
  const by = since?.actor_name ? ` by ${since.actor_name}` : '';
  return [
    ...first,
    ...(since ? [row('Since', `revision ${since.revision}, ${since.at}${by}: ${change}`)] : []),
    ...(next ? [row('Next', next.value ? shownText(next.value.value) : (NEXT[next.state] ?? next.state))] : []),
    ...section('Candidates', candidates, ({ environment_name, project_name, state, wins, hidden_by }) => [
      `${environment_name} / ${project_name}:`,
      wins ? paint('green', 'effective') : state,
      hidden_by && `(overridden by a closer ${hidden_by})`,
    ]),
    ...section('Made of', parts, (part) => [part.name, '=', part.winner ? shownText(part.winner.value) : part.state]),
    ...section('Used by', users, ({ kind, name: user, project_name, environment_name }) => [
      kind,
      user,
      'in',
      [project_name, environment_name].filter(Boolean).join(' / '),
    ]),
  ];
}

const NEXT: Readonly<Record<string, string>> = { unset: 'no value', closed: 'a value that you may not read' };

const row = (title: string, text: string): string => `  ${title.padEnd(9)} ${text}`;

const nearest = (reason: Explanation['reason']): readonly string[] =>
  reason?.nearest_names?.length ? [row('Similar', reason.nearest_names.join(', '))] : [];

function section<T>(
  title: string,
  rows: readonly T[] | null | undefined,
  words: (row: T) => readonly (string | null | undefined | false)[],
): readonly string[] {
  if (!rows?.length) return [];
  return ['', paint('bold', title), ...rows.map((one) => `  ${words(one).filter(Boolean).join(' ')}`)];
}
