import type { DestinationDetails, DestinationEvent } from '../../data/destinations.ts';
import { formatCount } from '../../lib/format-count.ts';

export type DestinationType = DestinationDetails['type'];

interface TypeWords {
  readonly label: string;
  /** The label in a list. */
  readonly shortLabel: string;
  /** The label and the hint of its address; null if it has recipients instead. */
  readonly address: { readonly label: string; readonly hint: string; readonly example: string } | null;
}

/** The types of destinations, in the order of the choice. */
export const TYPES: Readonly<Record<DestinationType, TypeWords>> = {
  http: {
    label: 'Signed HTTP requests',
    shortLabel: 'HTTP',
    address: {
      label: 'URL',
      hint: 'Strata sends each message as a POST request, signed after Standard Webhooks.',
      example: 'https://hooks.example.com/strata',
    },
  },
  teams: {
    label: 'Microsoft Teams',
    shortLabel: 'Teams',
    address: {
      label: 'Workflow URL',
      hint: 'Create it in Teams with the workflow “Send webhook alerts to a channel”. It is stored encrypted.',
      example: 'https://….logic.azure.com/…',
    },
  },
  discord: {
    label: 'Discord',
    shortLabel: 'Discord',
    address: {
      label: 'Webhook URL',
      hint: 'Create it in the settings of the channel, under Integrations. It is stored encrypted.',
      example: 'https://discord.com/api/webhooks/…',
    },
  },
  email: { label: 'E-mail', shortLabel: 'E-mail', address: null },
};

export const isDestinationType = (text: string): text is DestinationType => Object.hasOwn(TYPES, text);

export const EXPIRY: DestinationEvent = 'value_expires_soon';

/** The nouns of events, with the words for their objects. The first four are the ones that most destinations send. */
export const NOUNS = {
  value: 'Values',
  parameter: 'Parameters',
  project: 'Projects',
  environment: 'Environments',
  template: 'Templates',
  type: 'Types',
  tag: 'Tags',
  membership: 'Memberships',
  group: 'Groups',
  grant: 'Grants',
  invitation: 'Invitations',
  service_account: 'Service accounts',
  webhook: 'Webhooks',
  destination: 'Destinations',
  organization: 'The organization',
} as const;
export type EventNoun = keyof typeof NOUNS;

export const EVENT_NOUNS = Object.keys(NOUNS) as readonly EventNoun[];
const ACTIONS = ['created', 'updated', 'deleted'] as const;

export const destinationEvent = (noun: EventNoun, action: (typeof ACTIONS)[number]): DestinationEvent =>
  `${noun}_${action}`;

/** Describes event types, as in `values created, updated; reminders before values expire`. */
export function describeDestinationEvents(types: readonly DestinationEvent[]): string {
  const parts = EVENT_NOUNS.flatMap((noun) => {
    const actions = ACTIONS.filter((action) => types.includes(destinationEvent(noun, action)));
    return actions.length === 0 ? [] : [`${NOUNS[noun].toLowerCase()} ${actions.join(', ')}`];
  });
  return [...parts, ...(types.includes(EXPIRY) ? ['reminders before values expire'] : [])].join('; ');
}

/** Describes where the messages go, as in `https://hooks.example.com/…` or `ops@example.com and 2 others`. */
export function describeReceiver({ address, recipients }: Pick<DestinationDetails, 'address' | 'recipients'>): string {
  if (address !== null) return address;
  const [first = '', ...otherRecipients] = recipients;
  return otherRecipients.length === 0 ? first : `${first} and ${formatCount(otherRecipients.length, 'other')}`;
}

/** Describes the reason of a suspension, from the reason in the API (`failing: http_500`). */
export function describeStop(reason: string | null): string {
  const code = (reason ?? '').split(': ')[1];
  return code ? `Its messages could not be delivered (${code}).` : 'Its messages could not be delivered.';
}

/** Returns the entries of a field with one entry per line or separated by commas. */
export const splitEntries = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\n,]/)
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  ),
];
