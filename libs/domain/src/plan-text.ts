import { formatCount } from './format-count.ts';

/** The names of what an entry of a plan is about. */
interface Entry {
  readonly object_type: string | null;
  readonly object_name: string | null;
  readonly project_name: string | null;
  readonly environment_name: string | null;
}

interface PrintedChange extends Entry {
  readonly action: string;
  readonly last_read_at: string | null;
  readonly last_read_by: { readonly name: string } | null;
}

interface PrintedEffect {
  readonly kind: string;
  readonly project_name: string;
  readonly environment_name: string;
  readonly parameter_name: string;
  readonly before: string | null;
  readonly after: string | null;
  readonly problem?: string | undefined;
}

interface Rejection {
  readonly index: number;
  readonly status: number | null;
  readonly code: string;
  readonly error?: unknown;
}

type Conflict = Entry & { readonly code: string; readonly detail: string };
type NotRevertible = Entry & { readonly action: string; readonly reason: string };

/** The lists of a plan, and the total number of entries of each. */
interface PlanLists {
  readonly effective_changes: readonly PrintedEffect[];
  readonly changes: readonly PrintedChange[];
  readonly refusals: readonly Rejection[];
  readonly conflicts?: readonly Conflict[] | undefined;
  readonly not_revertible?: readonly NotRevertible[] | undefined;
  readonly blocking_references: readonly {
    readonly index: number;
    readonly project_name: string;
    readonly text: string;
  }[];
  readonly uncovered: readonly (Pick<Entry, 'project_name' | 'environment_name'> & {
    readonly reason: string;
    readonly name: string;
  })[];
  readonly access: readonly {
    readonly person: string;
    readonly scope_type: string;
    readonly scope_name: string;
    readonly before: string | null;
    readonly after: string | null;
  }[];
  /** Absent in plans of cores of earlier releases. */
  readonly access_cells?: readonly {
    readonly person: string;
    readonly action: string;
    readonly gained: boolean;
    readonly cells: number;
    readonly example_project: string;
    readonly example_environment: string;
  }[];
  readonly expirations: readonly {
    readonly project_name: string;
    readonly environment_name: string;
    readonly name: string;
    readonly expires: string;
  }[];
  readonly webhooks: readonly { readonly name: string }[];
  /** Absent in plans of cores of earlier releases, as are `pushes`. */
  readonly destinations?: readonly { readonly name: string }[];
  readonly pushes?: readonly { readonly name: string; readonly integration_name: string }[];
}

type Totals = {
  readonly [List in Exclude<
    keyof PlanLists,
    'conflicts' | 'not_revertible' | 'destinations' | 'pushes' | 'access_cells'
  >]: number;
} & {
  readonly access_cells?: number;
  readonly conflicts?: number | undefined;
  readonly destinations?: number;
  readonly pushes?: number;
  readonly not_revertible?: number | undefined;
  readonly closed_projects: number;
  readonly closed_environments: number;
  readonly closed_references: number;
};

/** A plan, as far as its text shows it. */
export interface PrintedPlan extends PlanLists {
  readonly totals: Totals;
}

const SIGNS: Readonly<Record<string, string>> = { added: '+', removed: '-', changed: '~' };

/**
 * Returns a plan as text for the log of a build. Leaves out the revision and the hash, which are in the headers of the
 * response, so that equal plans have equal texts.
 */
export function planText(plan: PrintedPlan): string {
  const { totals, conflicts = [], not_revertible: unrevertible = [], destinations = [], pushes = [] } = plan;
  const { access_cells: cells = [] } = plan;
  const unchanged = totals.effective_changes === 0 ? ['No effective values change.'] : [];
  return [
    ...unchanged,
    ...section('Effective changes', effectiveLines(plan), plan.effective_changes, totals.effective_changes),
    ...section('Changes of objects', plan.changes.map(changeLine), plan.changes, totals.changes),
    ...section('Rejected operations', plan.refusals.map(describeRejection), plan.refusals, totals.refusals),
    ...section('Not restored', conflicts.map(conflictLine), conflicts, totals.conflicts ?? 0),
    ...section('Not revertible', unrevertible.map(notRevertibleLine), unrevertible, totals.not_revertible ?? 0),
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
    ...section('Access to values', cells.map(describeCellAccess), cells, totals.access_cells ?? 0),
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
    ...section(
      'Notified destinations',
      destinations.map(({ name }) => `  ${name}`),
      destinations,
      totals.destinations ?? 0,
    ),
    ...section(
      'Started pushes',
      pushes.map(({ name, integration_name: integration }) => `  ${name} to ${integration}`),
      pushes,
      totals.pushes ?? 0,
    ),
    ...forbiddenLines(plan),
    '',
  ].join('\n');
}

/** Returns the lines of a section; none if the section is empty. */
function section(
  title: string,
  lines: readonly string[],
  shownItems: readonly unknown[],
  total: number,
): readonly string[] {
  const moreCount = total - shownItems.length;
  return total === 0 ? [] : [`${title}: ${total}`, ...lines, ...(moreCount > 0 ? [`  and ${moreCount} more`] : [])];
}

function effectiveLines({ effective_changes: changes }: PrintedPlan): readonly string[] {
  let previous = '';
  return changes.flatMap((change) => {
    const heading = `  ${change.project_name} / ${change.environment_name}`;
    const lines = heading === previous ? [] : [heading];
    previous = heading;
    return [...lines, `    ${SIGNS[change.kind] ?? '?'} ${change.parameter_name}: ${describeEffect(change)}`];
  });
}

function describeEffect({ kind, before, after, problem }: PrintedEffect): string {
  const problemText = problem === undefined ? '' : ` (${problem})`;
  if (kind === 'added') return `${quoted(after)}${problemText}`;
  if (kind === 'removed') return `${quoted(before)}${problemText}`;
  return `${quoted(before)} -> ${quoted(after)}${problemText}`;
}

/** Returns a text as JSON, which fits on one line. */
const quoted = (text: string | null) => (text === null ? 'null' : JSON.stringify(text));

function formatTitle({
  object_type: type,
  object_name: name,
  project_name: project,
  environment_name: environment,
}: Entry) {
  const location = [project, environment].filter((word) => word !== null && word !== name).join(' / ');
  return `${type} ${name}${location === '' ? '' : ` in ${location}`}`;
}

function changeLine(change: PrintedChange): string {
  const { action, last_read_at: at, last_read_by: lastReader } = change;
  return `  ${action} ${formatTitle(change)}${at === null ? '' : ` (last read by ${lastReader?.name} at ${at.slice(0, 16)}Z)`}`;
}

const notRevertibleLine = (change: NotRevertible) =>
  `  ${change.action} ${formatTitle(change)}: ${quoted(change.reason)}`;

function conflictLine(conflict: Conflict): string {
  const title = conflict.object_type === null ? 'an object that you cannot access' : formatTitle(conflict);
  return `  ${title}: ${conflict.code} ${quoted(conflict.detail)}`;
}

function describeRejection({ index, status, code, error }: Rejection): string {
  return `  operation ${index}: ${[status, code].filter((word) => word !== null).join(' ')} ${errorText(error)}`;
}

/** Returns the sentence of an error, which names its objects. The lists beside it contain ids for programs. */
function errorText(error: unknown): string {
  const { detail } = (error ?? {}) as { readonly detail?: unknown };
  return typeof detail === 'string' ? quoted(detail) : JSON.stringify(error);
}

function forbiddenLines({ totals }: PrintedPlan): readonly string[] {
  const countedNouns = [
    [totals.closed_projects, 'projects'],
    [totals.closed_environments, 'environments'],
    [totals.closed_references, 'references'],
  ] as const;
  const forbiddenCounts = countedNouns.flatMap(([count, noun]) => (count > 0 ? [`${count} ${noun}`] : []));
  return forbiddenCounts.length === 0 ? [] : [`Not shown, because you have no access: ${forbiddenCounts.join(', ')}`];
}

type PrintedCells = NonNullable<PlanLists['access_cells']>[number];

function describeCellAccess(entry: PrintedCells): string {
  const { person, action, gained, cells, example_project: project, example_environment: environment } = entry;
  const place = `${project} / ${environment}`;
  const more = cells === 1 ? '' : ` and ${formatCount(cells - 1, 'other cell')}`;
  return `  ${person} ${gained ? 'gains' : 'loses'} ${action} on ${place}${more}`;
}
