import type { EventType, FeedEvent, FeedEventType } from '@strata/domain';
import { bold, cleanAndTruncate, plain } from './text.ts';

/** The phrases for events in chat messages. */
const PHRASES: Readonly<Record<EventType, string>> = {
  parameter_created: 'created parameter',
  parameter_updated: 'changed parameter',
  parameter_deleted: 'deleted parameter',
  project_created: 'created project',
  project_updated: 'changed project',
  project_deleted: 'deleted project',
  environment_created: 'created environment',
  environment_updated: 'changed environment',
  environment_deleted: 'deleted environment',
  value_created: 'set a value of',
  value_updated: 'changed the value of',
  value_deleted: 'removed the value of',
};

const PAST_TENSE: Readonly<Record<string, string>> = { created: 'created', updated: 'changed', deleted: 'deleted' };

/** `changed service account` for a type that is not among the twelve. */
function phrase(type: FeedEventType): string {
  const contractPhrase = (PHRASES as Readonly<Record<string, string>>)[type];
  if (contractPhrase !== undefined) return contractPhrase;
  const end = type.lastIndexOf('_');
  return `${PAST_TENSE[type.slice(end + 1)]} ${type.slice(0, end).replaceAll('_', ' ')}`;
}

/** Writes a name of at most `max` characters in the notation of a message. */
export type NameFormatter = (name: string, max: number) => string;
/** For Slack: escaped names, bold in blocks and plain in the notification text. */
export const PLAIN_NAMES: NameFormatter = plain;
export const BOLD_NAMES: NameFormatter = (name, max) => bold(plain(name, max));
/** For messages without markup, and for those whose texts are escaped as a whole. */
export const CLEAN_NAMES: NameFormatter = cleanAndTruncate;

/** `dana changed the value of DB_HOST`; `nameMax` bounds each of the two names. */
export function sentence(event: FeedEvent, nameMax: number, style: NameFormatter): string {
  const object = event.parameter ?? event.object;
  return `${style(event.actor.name, nameMax)} ${phrase(event.type)} ${style(object.name, nameMax)}`;
}

/** Returns the location of an event, such as `billing › production`; null if it has neither project nor environment. */
export function location(event: FeedEvent, nameMax: number, style: NameFormatter): string | null {
  const names = [event.project, event.environment].filter((objectName) => objectName !== null);
  return names.length === 0 ? null : names.map(({ name }) => style(name, nameMax)).join(' › ');
}

/** Returns whether the location adds information: a project is not "in" itself. */
export function hasLocation(event: FeedEvent): boolean {
  return event.type.startsWith('parameter_') || event.type.startsWith('value_');
}
