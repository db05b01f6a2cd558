import type { Explanation } from '@strata/contract';
import { readExplanation } from '../../api/explain.ts';
import { loadContext } from '../../core/context.ts';
import { defineCommand, requiredArgument } from '../../core/define-command.ts';
import { CommandError, EXIT } from '../../core/errors.ts';
import { maskTexts } from '../../core/names-only.ts';
import { toOneLine } from '../../core/one-line.ts';
import { MOMENT_OPTIONS, REVEAL, SCOPE_OPTIONS } from '../../core/options.ts';
import { paint, print, printJson, shownText } from '../../core/output.ts';

/** Prints why a value is effective, or why there is none. */
export const command = defineCommand({
  description: 'print why a value is effective, where else it is set, and what uses it',
  arguments: { name: requiredArgument('name of the parameter') },
  options: { ...SCOPE_OPTIONS, ...MOMENT_OPTIONS, reveal: REVEAL },
  examples: ['strata explain PORT'],
  async run({ name }, options) {
    const context = await loadContext(options);
    const explanation = await readExplanation(context, name, options);
    const { project, environment } = context;
    if (options.json) printJson(maskTexts(explanation));
    else print(explanationLines(explanation).join('\n'));
    if (!explanation.winner)
      throw new CommandError(EXIT.notFound, `"${name}" has no value in project "${project}" in "${environment}".`);
  },
});

function explanationLines(explanation: Explanation): readonly string[] {
  const { name, winner, reason, next, candidates, made_of: parts, needed_by: users, since } = explanation;
  const { pushed_to: pushes, pushed_to_count: keyCount } = explanation;
  const moreKeys = (keyCount ?? 0) - (pushes?.length ?? 0);
  const first = winner
    ? [
        `${paint('bold', name)} = ${shownText(winner.value)}`,
        row('Set in', toOneLine(`${winner.project_name} / ${winner.environment_name}`)),
        row('Type', toOneLine(winner.secret ? `${winner.type}, secret` : winner.type)),
        ...(winner.interpolated ? [row('Text', shownText(winner.internal_value))] : []),
        ...(winner.problem ? [row('Problem', toOneLine(winner.problem))] : []),
        ...externalLines(winner.external),
      ]
    : [`${paint('bold', name)} has no value: ${toOneLine(reason?.detail ?? 'not set')}`, ...nearest(reason)];
  const change = since && [since.action, since.object_type, since.object_name].filter(Boolean).join(' ');
  const actorText = since?.actor_name ? ` by ${since.actor_name}` : '';
  return [
    ...first,
    ...(since ? [row('Since', toOneLine(`revision ${since.revision}, ${since.at}${actorText}: ${change}`))] : []),
    ...(next ? [row('Next', next.value ? shownText(next.value.value) : (NEXT[next.state] ?? next.state))] : []),
    ...section('Candidates', candidates, ({ environment_name, project_name, state, wins, hidden_by }) => [
      toOneLine(`${environment_name} / ${project_name}:`),
      wins ? paint('green', 'effective') : state,
      hidden_by && `(overridden by a closer ${hidden_by})`,
    ]),
    ...section('Made of', parts, (part) => [
      toOneLine(part.name),
      '=',
      part.winner ? shownText(part.winner.value) : part.state,
    ]),
    ...section('Used by', users, ({ kind, name: user, project_name, environment_name }) => [
      kind,
      toOneLine(user),
      'in',
      toOneLine([project_name, environment_name].filter(Boolean).join(' / ')),
    ]),
    ...section('Pushed to', pushes, (push) => [
      toOneLine(push.key),
      `by ${toOneLine(push.push_name)} to ${toOneLine(push.integration_name)}:`,
      paint(push.state === 'in_sync' ? 'green' : 'yellow', push.state),
      push.state !== 'in_sync' && `(${push.reason})`,
      push.detail && toOneLine(push.detail),
      push.tag_name !== null && `at the tag ${toOneLine(push.tag_name)}`,
      push.next_attempt_at && `next attempt ${push.next_attempt_at}`,
    ]),
    ...(moreKeys > 0 ? [`  and ${moreKeys} more`] : []),
  ];
}

/** Describes where the text of an external value comes from, and why it may be outdated. */
function externalLines(external: NonNullable<Explanation['winner']>['external']): readonly string[] {
  if (!external) return [];
  const { fqn, filter, error } = external;
  return [
    row('Source', toOneLine(filter === '' ? fqn : `${fqn} (${filter})`)),
    ...(error === null ? [] : [row('Outdated', toOneLine(error))]),
  ];
}

const NEXT: Readonly<Record<string, string>> = { unset: 'no value', closed: 'a value that you may not read' };

const row = (title: string, text: string): string => `  ${title.padEnd(9)} ${text}`;

const nearest = (reason: Explanation['reason']): readonly string[] =>
  reason?.nearest_names?.length ? [row('Similar', reason.nearest_names.map(toOneLine).join(', '))] : [];

function section<T>(
  title: string,
  rows: readonly T[] | null | undefined,
  describe: (row: T) => readonly (string | null | undefined | false)[],
): readonly string[] {
  if (!rows?.length) return [];
  return ['', paint('bold', title), ...rows.map((entry) => `  ${describe(entry).filter(Boolean).join(' ')}`)];
}
