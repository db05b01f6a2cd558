import type { FeedEvent } from '@strata/domain';
import { asMarkdown, type Block, MESSAGE_LIMITS } from './message.ts';
import { BOLD_NAMES, location, type NameFormatter, PLAIN_NAMES, sentence } from './phrase.ts';

/** The maximum number of lines. Longer lists are not readable in a channel. The counts include all events. */
export const DIGEST_LINES_MAX = 20;
/**
 * The maximum length of a name in a line or heading. With it, twenty lines and twenty headings with two names each stay
 * within the total limit.
 */
const NAME_MAX = 60;

interface Group {
  readonly heading: string;
  readonly lines: string[];
}

/** `12 changes in billing by dana`, with exact counts. */
export function digestHeadline(events: readonly FeedEvent[], style: NameFormatter): string {
  const projects = distinct(events.map(({ project }) => project));
  const actors = distinct(events.map(({ actor }) => actor));
  const [project] = projects;
  const [actor] = actors;
  const locationText =
    project === undefined
      ? ''
      : projects.length === 1
        ? ` in ${style(project.name, NAME_MAX)}`
        : ` in ${projects.length} projects`;
  const actorText =
    actor !== undefined && actors.length === 1 ? style(actor.name, NAME_MAX) : `${actors.length} actors`;
  return `${style(`${events.length} changes`, NAME_MAX)}${locationText} by ${actorText}`;
}

/** Returns the digest as plain text, for notifications. */
export function digestText(events: readonly FeedEvent[]): string {
  return digestHeadline(events, PLAIN_NAMES);
}

/**
 * Returns the headline, exact counts per event type, the first lines grouped by location, and the number of omitted
 * lines.
 */
export function digestBlocks(events: readonly FeedEvent[]): Block[] {
  const counts = [...tally(events.map(({ type }) => type))].map(([type, count]) => `${count} × ${type}`);
  const blocks: Block[] = [
    { type: 'section', text: asMarkdown(`${digestHeadline(events, BOLD_NAMES)}\n${counts.join(' · ')}`) },
    ...group(events.slice(0, DIGEST_LINES_MAX)).flatMap(sections),
  ];
  const hiddenCount = events.length - DIGEST_LINES_MAX;
  if (hiddenCount > 0) blocks.push({ type: 'section', text: asMarkdown(`…and ${hiddenCount} more`) });
  return blocks;
}

function group(events: readonly FeedEvent[]): Group[] {
  const groups = new Map<string, Group>();
  for (const event of events) {
    const key = `${event.project?.id ?? ''} ${event.environment?.id ?? ''}`;
    const section = groups.get(key) ?? {
      heading: location(event, NAME_MAX, BOLD_NAMES) ?? BOLD_NAMES('Organization', NAME_MAX),
      lines: [],
    };
    groups.set(key, section);
    section.lines.push(`• ${sentence(event, NAME_MAX, PLAIN_NAMES)} (revision ${event.revision})`);
  }
  return [...groups.values()];
}

/** Returns one section per group, or several if a section would exceed its limit. */
function sections({ heading, lines }: Group): Block[] {
  const texts: string[] = [];
  let text = heading;
  for (const line of lines) {
    if (text.length + 1 + line.length > MESSAGE_LIMITS.section) {
      texts.push(text);
      text = line;
    } else text += `\n${line}`;
  }
  return [...texts, text].map((part) => ({ type: 'section', text: asMarkdown(part) }));
}

function distinct<T extends { readonly id: string }>(objects: readonly (T | null)[]): T[] {
  return [
    ...new Map(
      objects.filter((candidate) => candidate !== null).map((candidate) => [candidate.id, candidate]),
    ).values(),
  ];
}

function tally(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of texts) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
