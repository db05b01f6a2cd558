import type { ChangesetChange, RecordedChangeset } from '@strata/contract';
import { toOneLine } from '../core/one-line.ts';
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
  const moreLines = count > shownLines.length ? [`  … and ${count - shownLines.length} more`] : [];
  const first = `${paint('bold', `Revision ${revision}`)}  ${at}  ${toOneLine(actor ?? 'no access')}`;
  return [first, ...(message ? [`  ${paint('cyan', toOneLine(message))}`] : []), ...shownLines, ...moreLines];
}

/** Returns a change as a text, such as `update Value PORT in shop / production`. */
export function describeChange(change: ChangesetChange): string {
  const { action, object_type: type, object_name: name, project_name: project, environment_name: environment } = change;
  const scope = [project, environment].filter((part) => part !== null && part !== name).join(' / ');
  return toOneLine(`${action} ${type} ${name}${scope ? ` in ${scope}` : ''}`);
}
