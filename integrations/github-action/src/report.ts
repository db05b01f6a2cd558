import { summary } from '@actions/core';
import type { PlannedChangeset } from './changeset.ts';

/** GitHub rejects longer comments. */
const COMMENT_LENGTH_MAX = 65_000;
/** GitHub rejects summaries of more than 1 MiB, and a character takes at most three bytes of UTF-8. */
const SUMMARY_LENGTH_MAX = 300_000;
const MARKER = /^<!-- strata-plan:([\w.-]+) hash:(\S*) -->\n/;

/** Returns the comment for a plan. Its first line is invisible, and identifies the comment and the plan. */
export function renderComment(name: string, planned: PlannedChangeset, run: string): string {
  const marker = `<!-- strata-plan:${name} hash:${planned.hash ?? ''} -->\n`;
  return `${marker}${renderReport(name, planned, COMMENT_LENGTH_MAX)}\nPlanned by [this run](${run}).\n`;
}

/** Returns the name and the hash of a plan from its comment; null if the comment is another one. */
export function planOfComment(body: string): { readonly name: string; readonly hash: string } | null {
  const [, name, hash] = MARKER.exec(body) ?? [];
  return name === undefined || hash === undefined ? null : { name, hash };
}

/** Adds a plan to the summary of the job. */
export async function addToSummary(name: string, planned: PlannedChangeset): Promise<void> {
  await summary.addRaw(renderReport(name, planned, SUMMARY_LENGTH_MAX), true).write();
}

function renderReport(name: string, planned: PlannedChangeset, lengthMax: number): string {
  return `### Strata plan${name === 'default' ? '' : ` (${name})`}\n\n${describeStatus(planned)}\n\n${renderCode(planned.text, lengthMax)}`;
}

function describeStatus({ hash, isChanged }: PlannedChangeset): string {
  if (hash === null) return '**Strata would reject this changeset.** Correct it, and plan again.';
  return isChanged ? 'After the merge, this is applied exactly as shown, or not at all.' : 'This changes nothing.';
}

/**
 * Returns a text as indented code. No text can end such a block, so names in it are neither Markdown nor mentions. A
 * long text is cut after a line.
 */
function renderCode(text: string, lengthMax: number): string {
  const lines: string[] = [];
  let length = 500;
  for (const line of text.split('\n')) {
    length += line.length + 5;
    if (length > lengthMax) break;
    lines.push(`    ${line}\n`);
  }
  const left = text.split('\n').length - lines.length;
  const note = left === 0 ? '' : `\n${left} more lines are in the log of the job.\n`;
  return `${lines.join('')}${note}`;
}
