import type { FeedEvent } from '@strata/domain';
import { digestBlocks, digestText } from './digest.ts';
import { asMarkdown, type Block, type ChatMessage, type MarkdownText } from './message.ts';
import { BOLD_NAMES, hasLocation, location, type NameFormatter, PLAIN_NAMES, sentence } from './phrase.ts';
import { bold, dateToken, formatLink, formatUtcTime, plain } from './text.ts';

/** The maximum length of a name: enough for most names, and short enough that four of them fit into one section. */
const NAME_MAX = 150;

interface RenderContext {
  readonly webhookName: string;
  /** The address of the console; omitted from the message if it is not a web address. */
  readonly consoleUrl?: string;
}

/**
 * Returns the message for one event, or a digest for several in the given order, which should be the order of
 * revisions. Messages contain only names, because events carry no values.
 */
export function render(events: readonly FeedEvent[], context: RenderContext): ChatMessage {
  const [first] = events;
  const lastEvent = events.at(-1);
  if (first === undefined || lastEvent === undefined) throw new Error('There is no event to tell of.');
  const footer = contextBlock([
    first.at === lastEvent.at ? dateToken(first.at) : `${dateToken(first.at)} – ${dateToken(lastEvent.at)}`,
    revisions(events),
    ...reason(events),
    ...origin(context),
  ]);
  if (events.length === 1) {
    const when = `${revisions(events)}, ${formatUtcTime(first.at)}`;
    return { text: `${eventSentence(first, PLAIN_NAMES)} (${when})`, blocks: [single(first), footer] };
  }
  return { text: `${digestText(events)} (${revisions(events)})`, blocks: [...digestBlocks(events), footer] };
}

/** Returns the message of a test delivery. It uses the same escaping and blocks as a real one. */
export function renderTest(webhookName: string): ChatMessage {
  const name = plain(webhookName, NAME_MAX);
  return {
    text: `Test message: the webhook ${name} can post here.`,
    blocks: [
      { type: 'section', text: asMarkdown(`Test message: the webhook ${bold(name)} can post here.`) },
      contextBlock(['Nothing was changed. Changes of the configuration will be told in this channel.']),
    ],
  };
}

/** `dana changed the value of DB_HOST in billing › production` */
function eventSentence(event: FeedEvent, style: NameFormatter): string {
  const locationText = hasLocation(event) ? location(event, NAME_MAX, style) : null;
  return sentence(event, NAME_MAX, style) + (locationText === null ? '' : ` in ${locationText}`);
}

function single(event: FeedEvent): Block {
  const fields: MarkdownText[] = [field('Event', event.type)];
  if (event.project) fields.push(field('Project', plain(event.project.name, NAME_MAX)));
  if (event.environment) fields.push(field('Environment', plain(event.environment.name, NAME_MAX)));
  fields.push(field('Revision', String(event.revision)));
  return { type: 'section', text: asMarkdown(eventSentence(event, BOLD_NAMES)), fields };
}

function field(label: string, text: string): MarkdownText {
  return asMarkdown(`${bold(label)}\n${text}`);
}

/** Returns the changeset message if all events have the same one. */
function reason(events: readonly FeedEvent[]): string[] {
  const [message, ...otherMessages] = new Set(events.map((event) => event.message));
  return message && otherMessages.length === 0 ? [plain(message, NAME_MAX)] : [];
}

function revisions(events: readonly FeedEvent[]): string {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const { revision } of events) {
    low = Math.min(low, revision);
    high = Math.max(high, revision);
  }
  return low === high ? `revision ${low}` : `revisions ${low}–${high}`;
}

function origin({ webhookName, consoleUrl }: RenderContext): string[] {
  const consoleLink = consoleUrl === undefined ? null : formatLink(consoleUrl, 'Open in Strata');
  return [`webhook ${plain(webhookName, NAME_MAX)}`, ...(consoleLink === null ? [] : [consoleLink])];
}

function contextBlock(parts: readonly string[]): Block {
  return { type: 'context', elements: [asMarkdown(parts.join(' · '))] };
}
