import type { NotRevertible, Plan, RevertConflict } from '@strata/contract';

type EffectiveChange = Plan['effective_changes'][number];

const SIGNS: Readonly<Record<string, string>> = { added: '+', removed: '-', changed: '~' };

/**
 * Returns a plan as text for the log of a build. Leaves out the revision and the hash, which are in the headers of the
 * response, so that equal plans have equal texts.
 */
export function planText(plan: Plan): string {
  const { totals, conflicts = [], not_revertible: notRevertible = [] } = plan;
  const nothing = totals.effective_changes === 0 ? ['No effective values change.'] : [];
  return [
    ...nothing,
    ...section('Effective changes', effectiveLines(plan), plan.effective_changes, totals.effective_changes),
    ...section('Changes of objects', plan.changes.map(changeLine), plan.changes, totals.changes),
    ...section('Rejected operations', plan.refusals.map(refusalLine), plan.refusals, totals.refusals),
    ...section('Not restored', conflicts.map(conflictLine), conflicts, totals.conflicts ?? 0),
    ...section('Not revertible', notRevertible.map(notRevertibleLine), notRevertible, totals.not_revertible ?? 0),
    ...section(
      'Blocking references',
      plan.blocking_references.map(
        ({ index, project_name: project, text }) => `  operation ${index}: ${text} of ${project}`,
      ),
      plan.blocking_references,
      totals.blocking_references,
    ),
    ...section(
      'Not compared',
      plan.uncovered.map(
        ({ reason, project_name: project, environment_name: environment, name }) =>
          `  ${[project, environment, name].filter((word) => word !== null).join(' / ')}: ${reason}`,
      ),
      plan.uncovered,
      totals.uncovered,
    ),
    ...section(
      'Access',
      plan.access.map(
        ({ person, scope_type: type, scope_name: scope, before, after }) =>
          `  ${person} on ${type} ${scope}: ${before ?? 'none'} -> ${after ?? 'none'}`,
      ),
      plan.access,
      totals.access,
    ),
    ...section(
      'Renewed expirations',
      plan.expirations.map(
        ({ project_name: project, environment_name: environment, name, expires }) =>
          `  ${project} / ${environment} / ${name}: ${expires}`,
      ),
      plan.expirations,
      totals.expirations,
    ),
    ...section(
      'Notified webhooks',
      plan.webhooks.map(({ name }) => `  ${name}`),
      plan.webhooks,
      totals.webhooks,
    ),
    ...forbiddenLines(plan),
    '',
  ].join('\n');
}

/** Returns the lines of a section; none if the section is empty. */
function section(title: string, lines: readonly string[], shown: readonly unknown[], total: number): readonly string[] {
  const more = total - shown.length;
  return total === 0 ? [] : [`${title}: ${total}`, ...lines, ...(more > 0 ? [`  and ${more} more`] : [])];
}

function effectiveLines({ effective_changes: changes }: Plan): readonly string[] {
  let previous = '';
  return changes.flatMap((change) => {
    const own = `  ${change.project_name} / ${change.environment_name}`;
    const heading = own === previous ? [] : [own];
    previous = own;
    return [...heading, `    ${SIGNS[change.kind] ?? '?'} ${change.parameter_name}: ${inWords(change)}`];
  });
}

function inWords({ kind, before, after, problem }: EffectiveChange): string {
  const failing = problem === undefined ? '' : ` (${problem})`;
  if (kind === 'added') return `${quoted(after)}${failing}`;
  if (kind === 'removed') return `${quoted(before)}${failing}`;
  return `${quoted(before)} -> ${quoted(after)}${failing}`;
}

/** Returns a text as JSON, which fits on one line. */
const quoted = (text: string | null) => (text === null ? 'null' : JSON.stringify(text));

/** The members of an entry that make up its title. */
type Titled = Pick<Plan['changes'][number], 'project_name' | 'environment_name'> & {
  readonly object_type: string | null;
  readonly object_name: string | null;
};

function titleOf({
  object_type: type,
  object_name: name,
  project_name: project,
  environment_name: environment,
}: Titled) {
  const location = [project, environment].filter((word) => word !== null && word !== name).join(' / ');
  return `${type} ${name}${location === '' ? '' : ` in ${location}`}`;
}

function changeLine(change: Plan['changes'][number]): string {
  const { action, last_read_at: at, last_read_by: by } = change;
  return `  ${action} ${titleOf(change)}${at === null ? '' : ` (last read by ${by?.name} at ${at.slice(0, 16)}Z)`}`;
}

const notRevertibleLine = (change: NotRevertible) => `  ${change.action} ${titleOf(change)}: ${quoted(change.reason)}`;

function conflictLine(conflict: RevertConflict): string {
  const title = conflict.object_type === null ? 'an object that you cannot access' : titleOf(conflict);
  return `  ${title}: ${conflict.code} ${quoted(conflict.detail)}`;
}

function refusalLine({ index, status, code, error }: Plan['refusals'][number]): string {
  return `  operation ${index}: ${[status, code].filter((word) => word !== null).join(' ')} ${errorText(error)}`;
}

/** Returns the sentence of an error, which names its objects. The lists beside it contain ids for programs. */
function errorText(error: unknown): string {
  const { detail } = (error ?? {}) as { readonly detail?: unknown };
  return typeof detail === 'string' ? quoted(detail) : JSON.stringify(error);
}

function forbiddenLines({ totals }: Plan): readonly string[] {
  const counted = [
    [totals.closed_projects, 'projects'],
    [totals.closed_environments, 'environments'],
    [totals.closed_references, 'references'],
  ] as const;
  const found = counted.flatMap(([count, of]) => (count > 0 ? [`${count} ${of}`] : []));
  return found.length === 0 ? [] : [`Closed to you and not told: ${found.join(', ')}`];
}
