import type { FeedEvent } from '@strata/domain';
import { DIGEST_LINES_MAX, headline } from './digest.ts';
import type { MessageContent, ReminderValue } from './outgoing.ts';
import { CLEAN_NAMES, hasLocation, location, sentence } from './phrase.ts';
import { clean, utcTime } from './text.ts';

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
  const source = ['Destination', clean(destinationName, NAME_MAX)] as const;
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
  const last = events.at(-1);
  if (first === undefined || last === undefined) throw new Error('The message has no events.');
  const [reason, ...otherReasons] = new Set(events.map(({ message }) => message));
  const revisions =
    first.revision === last.revision
      ? (['Revision', String(first.revision)] as const)
      : (['Revisions', `${first.revision}–${last.revision}`] as const);
  const labelledTexts = [
    revisions,
    ['Time', utcTime(last.at)] as const,
    ...(reason && otherReasons.length === 0 ? [['Message', clean(reason, NAME_MAX * 2)] as const] : []),
    source,
  ];
  if (events.length === 1) return { title: eventSentence(first), lines: [], hidden: 0, facts: labelledTexts };
  const lines = events
    .slice(0, DIGEST_LINES_MAX)
    .map((event) => `${eventSentence(event)} (revision ${event.revision})`);
  return { title: headline(events, CLEAN_NAMES), lines, hidden: events.length - lines.length, facts: labelledTexts };
}

function eventSentence(event: FeedEvent): string {
  const where = hasLocation(event) ? location(event, NAME_MAX, CLEAN_NAMES) : null;
  return sentence(event, NAME_MAX, CLEAN_NAMES) + (where === null ? '' : ` in ${where}`);
}

function summarizeExpirations(values: readonly ReminderValue[], source: Summary['facts'][number]): Summary {
  const [first] = values;
  const title =
    first !== undefined && values.length === 1 ? `${expirationSentence(first)}` : `${values.length} values expire soon`;
  const lines = values.length === 1 ? [] : values.slice(0, DIGEST_LINES_MAX).map(expirationSentence);
  const hidden = values.length === 1 ? 0 : values.length - lines.length;
  return { title, lines, hidden, facts: [source] };
}

function expirationSentence({ parameter, project, environment, expires_at: at }: ReminderValue): string {
  const [name, inProject, inEnvironment] = [parameter, project, environment].map((named) =>
    clean(named.name, NAME_MAX),
  );
  return `The value of ${name} in ${inProject} › ${inEnvironment} expires on ${utcTime(at)}`;
}
