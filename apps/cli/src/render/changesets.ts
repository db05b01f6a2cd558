import type { ChangesetChange, RecordedChangeset } from '@strata/contract';
import { oneLine } from '../core/one-line.ts';
import { paint } from '../core/output.ts';

const CHANGES_SHOWN = 5;

/** Returns a changeset as lines. */
export function changesetLines({
  revision,
  at,
  actor_name: actor,
  message,
  change_count: count,
  changes,
}: RecordedChangeset) {
  const shownLines = changes.slice(0, CHANGES_SHOWN).map((change) => `  ${describeChange(change)}`);
  const more = count > shownLines.length ? [`  … and ${count - shownLines.length} more`] : [];
  const first = `${paint('bold', `Revision ${revision}`)}  ${at}  ${oneLine(actor ?? 'no access')}`;
  return [first, ...(message ? [`  ${paint('cyan', oneLine(message))}`] : []), ...shownLines, ...more];
}

/** Returns a change as a text, such as `update Value PORT in shop / production`. */
export function describeChange(change: ChangesetChange): string {
  const { action, object_type: type, object_name: name, project_name: project, environment_name: environment } = change;
  const scope = [project, environment].filter((part) => part !== null && part !== name).join(' / ');
  return oneLine(`${action} ${type} ${name}${scope ? ` in ${scope}` : ''}`);
}
