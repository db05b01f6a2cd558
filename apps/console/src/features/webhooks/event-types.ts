import type { WebhookInput } from '../../data/webhooks.ts';

export type WebhookEvent = Extract<WebhookInput['eventTypes'], readonly unknown[]>[number];

/** The objects and the actions of events. Every combination is an event type. */
export const OBJECTS = ['value', 'parameter', 'project', 'environment'] as const;
export const EVENT_ACTIONS = ['created', 'updated', 'deleted'] as const;

export const eventName = (object: (typeof OBJECTS)[number], action: (typeof EVENT_ACTIONS)[number]): WebhookEvent =>
  `${object}_${action}`;

const PLURAL: Readonly<Record<string, string>> = {
  value: 'values',
  parameter: 'parameters',
  project: 'projects',
  environment: 'environments',
};

/** Describes event types grouped by object, as in `values created, updated; projects deleted`. */
export function describeEvents(types: readonly string[]): string {
  return OBJECTS.flatMap((object) => {
    const actions = EVENT_ACTIONS.filter((action) => types.includes(eventName(object, action)));
    if (actions.length === 0) return [];
    return [`${PLURAL[object]} ${actions.join(', ')}`];
  }).join('; ');
}
