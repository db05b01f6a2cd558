import type { FeedEvent } from '@strata/domain';
import { DIGEST_LINES_MAX, digestHeadline } from './digest.ts';
import type { MessageContent, ReminderValue } from './outgoing.ts';
import { CLEAN_NAMES, hasLocation, location, sentence } from './phrase.ts';
import { cleanAndTruncate, formatUtcTime } from './text.ts';

/** The maximum length of a name in a summary. */
const NAME_MAX = 100;

/** The text of a message, without any markup. People read it in a chat, in an e-mail, and in the list of deliveries. */
export interface Summary {
  readonly title: string;
  readonly lines: readonly string[];
  /** The number of lines that are left out. */
  readonly hidden: number;
  readonly facts: readonly (readonly [label: string, text: string])[];
}

/** Returns the summary of a message to the destination with this name. */
export function summarize(content: MessageContent, destinationName: string): Summary {
  const source = ['Destination', cleanAndTruncate(destinationName, NAME_MAX)] as const;
  switch (content.kind) {
    case 'changes':
      return summarizeChanges(content.events, source);
    case 'expirations':
      return summarizeExpirations(content.values, source);
    case 'test':
      return {
        title: 'Test message from Strata',
        lines: ['Nothing was changed. Messages about changes of the configuration will arrive here.'],
        hidden: 0,
        facts: [source],
      };
  }
}

function summarizeChanges(events: readonly FeedEvent[], source: Summary['facts'][number]): Summary {
  const [first] = events;
  const lastEvent = events.at(-1);
  if (first === undefined || lastEvent === undefined) throw new Error('The message has no events.');
  const [reason, ...otherReasons] = new Set(events.map(({ message }) => message));
  const revisions =
    first.revision === lastEvent.revision
      ? (['Revision', String(first.revision)] as const)
      : (['Revisions', `${first.revision}–${lastEvent.revision}`] as const);
  const labelledTexts = [
    revisions,
    ['Time', formatUtcTime(lastEvent.at)] as const,
    ...(reason && otherReasons.length === 0 ? [['Message', cleanAndTruncate(reason, NAME_MAX * 2)] as const] : []),
    source,
  ];
  if (events.length === 1) return { title: eventSentence(first), lines: [], hidden: 0, facts: labelledTexts };
  const lines = events
    .slice(0, DIGEST_LINES_MAX)
    .map((event) => `${eventSentence(event)} (revision ${event.revision})`);
  return {
    title: digestHeadline(events, CLEAN_NAMES),
    lines,
    hidden: events.length - lines.length,
    facts: labelledTexts,
  };
}

function eventSentence(event: FeedEvent): string {
  const locationText = hasLocation(event) ? location(event, NAME_MAX, CLEAN_NAMES) : null;
  return sentence(event, NAME_MAX, CLEAN_NAMES) + (locationText === null ? '' : ` in ${locationText}`);
}

function summarizeExpirations(values: readonly ReminderValue[], source: Summary['facts'][number]): Summary {
  const [first] = values;
  const title =
    first !== undefined && values.length === 1 ? `${expirationSentence(first)}` : `${values.length} values expire soon`;
  const lines = values.length === 1 ? [] : values.slice(0, DIGEST_LINES_MAX).map(expirationSentence);
  const hiddenCount = values.length === 1 ? 0 : values.length - lines.length;
  return { title, lines, hidden: hiddenCount, facts: [source] };
}

function expirationSentence({ parameter, project, environment, expires_at: at }: ReminderValue): string {
  const [name, inProject, inEnvironment] = [parameter, project, environment].map((objectName) =>
    cleanAndTruncate(objectName.name, NAME_MAX),
  );
  return `The value of ${name} in ${inProject} › ${inEnvironment} expires on ${formatUtcTime(at)}`;
}
