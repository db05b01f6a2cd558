import { FEED_EVENT_TYPES, type FeedEvent } from './event.ts';
import { matchesWildcards } from './wildcards.ts';

/** The event that reminds of a value that expires soon. It follows from no change, so the feed does not contain it. */
export const EXPIRES_SOON = 'value_expires_soon';

/** The events that a destination can receive. */
export const DESTINATION_EVENT_TYPES = [...FEED_EVENT_TYPES, EXPIRES_SOON] as const;
export type DestinationEventType = (typeof DESTINATION_EVENT_TYPES)[number];

/** Selects the events that a destination receives. An empty list of scopes or names selects all of them. */
export interface DestinationFilter {
  readonly eventTypes: readonly string[];
  readonly projectIds: readonly string[];
  readonly environmentIds: readonly string[];
  /** Names of parameters, in which `*` stands for any characters. */
  readonly parameterNames: readonly string[];
}

/** The part of an event that a filter decides on. */
type FilteredEvent = { readonly type: string } & Pick<FeedEvent, 'project' | 'environment' | 'parameter'>;

/** Returns whether a destination receives an event. An event without a project is not in a selected project. */
export function passesFilter(filter: DestinationFilter, { type, project, environment, parameter }: FilteredEvent) {
  const { eventTypes, projectIds, environmentIds, parameterNames } = filter;
  const isSelected = (ids: readonly string[], id: string | undefined) =>
    ids.length === 0 || (id !== undefined && ids.includes(id));
  return (
    eventTypes.includes(type) &&
    isSelected(projectIds, project?.id) &&
    isSelected(environmentIds, environment?.id) &&
    (parameterNames.length === 0 ||
      (parameter !== null && parameterNames.some((pattern) => matchesWildcards(pattern, parameter.name))))
  );
}
