import type { ConfigurationEvent, EventType } from '@strata/domain';
import { bold, plain } from './text.ts';

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

/** The notation of names: bold in blocks, plain in the notification text. */
export type NameFormatter = (name: string) => string;
export const PLAIN_NAMES: NameFormatter = (name) => name;
export const BOLD_NAMES: NameFormatter = bold;

/** `dana changed the value of DB_HOST`; `nameMax` bounds each of the two names. */
export function sentence(event: ConfigurationEvent, nameMax: number, style: NameFormatter): string {
  const object = event.parameter ?? event.object;
  return `${style(plain(event.actor.name, nameMax))} ${PHRASES[event.type]} ${style(plain(object.name, nameMax))}`;
}

/** Returns the location of an event, such as `billing › production`; null if it has neither project nor environment. */
export function location(event: ConfigurationEvent, nameMax: number, style: NameFormatter): string | null {
  const names = [event.project, event.environment].filter((named) => named !== null);
  return names.length === 0 ? null : names.map(({ name }) => style(plain(name, nameMax))).join(' › ');
}

/** Returns whether the location adds information: a project is not "in" itself. */
export function hasLocation(event: ConfigurationEvent): boolean {
  return event.type.startsWith('parameter_') || event.type.startsWith('value_');
}
