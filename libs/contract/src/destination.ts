import { DESTINATION_EVENT_TYPES } from '@strata/domain';
import { z } from 'zod';
import { LIMITS, linkIn, linkOutput, nameField, textField, timeOutput, toList, uuidOutput } from './fields.ts';
import { pageSchema } from './page.ts';
import { choiceParameter, nameFilters, PageQuery } from './query.ts';
import { vocabulary } from './vocabulary.ts';
import { DELIVERY_STATUSES, DeliveryAttempt } from './webhook.ts';
import { memberOnCreate, memberWithDefault, optionalMember, requiredMember, writeShapes } from './write-shapes.ts';

export const DESTINATION_LIMITS = {
  perOrganization: 50,
  /** Each list of a filter. */
  filterEntries: 100,
  recipients: 20,
  /** The hours that the previous secret can stay valid. */
  overlapHours: 168,
  /** The lead times of reminders, in days. */
  leadTimes: 5,
  leadTimeDays: 365,
  /** The messages of one replay. */
  replayMessages: 200,
} as const;

const DestinationEventTypeName = vocabulary(DESTINATION_EVENT_TYPES, {
  name: 'DestinationEventType',
  description:
    'The event types that destinations support: those of the feed, and reminders of values that expire soon.',
  meaning: (type) => {
    if (type === 'value_expires_soon') return 'A value expires soon.';
    const end = type.lastIndexOf('_');
    const noun = type.slice(0, end).replaceAll('_', ' ');
    return `${/^[aeio]/.test(noun) ? 'An' : 'A'} ${noun} was ${type.slice(end + 1)}.`;
  },
}).meta({ id: 'DestinationEventTypeEnum' });

export const DESTINATION_TYPES = ['http', 'teams', 'discord', 'email'] as const;
const DestinationType = vocabulary(DESTINATION_TYPES, {
  name: 'DestinationType',
  description: 'The receiver of the messages.',
  meaning: (type) =>
    ({
      http: 'Signed HTTP requests after Standard Webhooks.',
      teams: 'A workflow of Microsoft Teams.',
      discord: 'A webhook of Discord.',
      email: 'E-mail addresses.',
    })[type],
}).meta({ id: 'DestinationTypeEnum' });

const EnvelopeName = vocabulary(['standard', 'cloudevents'], {
  name: 'DestinationEnvelope',
  description: 'The form of the bodies of HTTP requests.',
  meaning: (envelope) =>
    envelope === 'standard' ? 'The payload of Standard Webhooks.' : 'A CloudEvent 1.0 in structured mode.',
}).meta({ id: 'DestinationEnvelopeEnum' });

const SigningName = vocabulary(['hmac', 'ed25519'], {
  name: 'DestinationSigning',
  description: 'The signature of HTTP requests.',
  meaning: (signing) =>
    signing === 'hmac' ? 'HMAC-SHA256 with a shared secret (`v1`).' : 'Ed25519 with a public key (`v1a`).',
}).meta({ id: 'DestinationSigningEnum' });

const DestinationState = vocabulary(['active', 'suspended'], {
  name: 'DestinationState',
  description: 'The status of a destination.',
  meaning: (state) =>
    state === 'active' ? 'Messages are sent.' : 'Nothing is sent until the destination is enabled again.',
});

const shape = {
  url: linkOutput.meta({ description: 'URL of the object.' }),
  id: uuidOutput.meta({ description: 'Id of the object.' }),
  name: z.string().meta({ description: 'Name of the object.' }),
  type: DestinationType.meta({ description: 'The receiver of the messages.' }),
  event_types: z.array(DestinationEventTypeName).meta({ description: 'The event types that are sent.' }),
  projects: z.array(linkOutput).meta({ description: 'Only events of these projects are sent; empty for all.' }),
  environments: z.array(linkOutput).meta({ description: 'Only events of these environments are sent; empty for all.' }),
  parameter_names: z.array(z.string()).meta({
    description: 'Only events of parameters with these names are sent; `*` matches any characters. Empty for all.',
  }),
  address: z.string().nullable().meta({ description: 'The URL, masked; null for e-mail.' }),
  recipients: z.array(z.string()).meta({ description: 'The e-mail addresses; empty for other types.' }),
  envelope: EnvelopeName.nullable().meta({ description: 'The form of the bodies; null for types other than http.' }),
  signing: SigningName.nullable().meta({ description: 'The signature; null for types other than http.' }),
  public_keys: z
    .array(z.string())
    .meta({ description: 'The keys that verify Ed25519 signatures (`whpk_…`), the current one first.' }),
  previous_secret_until: timeOutput.nullable().meta({
    description: 'Until when messages are also signed with the previous secret; null if there is none.',
  }),
  expiry_days: z.array(z.int()).meta({ description: 'How many days before a value expires a reminder is sent.' }),
  owner: linkOutput.nullable().meta({ description: 'The user who is notified if the destination fails.' }),
  state: DestinationState.meta({ description: 'Whether messages are sent.' }),
  state_reason: z.string().nullable().meta({ description: 'The reason why nothing is sent.' }),
  hint: z.string().nullable().meta({ description: 'How to resolve that reason.' }),
  failing_since: timeOutput.nullable().meta({ description: 'Since when all attempts have failed; null if none has.' }),
  created_at: timeOutput.meta({ description: 'When it was created.' }),
  modified_at: timeOutput.nullable().meta({ description: 'When it was last changed.' }),
};

export const Destination = z.object(shape).meta({
  id: 'Destination',
  description: 'Sends messages about changes to another service, a chat or e-mail addresses.',
});
export type Destination = z.infer<typeof Destination>;

export const DestinationPage = pageSchema(Destination, 'PaginatedDestinationList');

/** The response to creating a destination and to replacing its secret. */
export const DestinationCreated = z
  .object({
    ...shape,
    secret: z.string().nullable().meta({
      description: 'The secret that verifies HMAC signatures (`whsec_…`). It is shown once; null without one.',
    }),
  })
  .meta({ id: 'DestinationCreated', description: 'A destination with its new secret.' });
export type DestinationCreated = z.infer<typeof DestinationCreated>;

const list = <Item extends z.ZodType>(item: Item, max: number = DESTINATION_LIMITS.filterEntries) =>
  z.preprocess(
    (input) => toList(input === '' ? [] : input),
    z.array(item).max(max, { error: `At most ${max} entries.` }),
  );

const eventTypes = z.preprocess(toList, z.array(DestinationEventTypeName).min(1, 'Choose at least 1 event type.'));
const address = textField({ max: LIMITS.link, blank: 'rejected' });
const { leadTimes, leadTimeDays } = DESTINATION_LIMITS;

const shapes = writeShapes(
  { create: 'DestinationCreate', update: 'DestinationUpdate', patch: 'PatchedDestination' },
  {
    name: requiredMember(nameField(), 'Name of the object.'),
    type: memberOnCreate(DestinationType, 'The receiver of the messages. It cannot be changed.'),
    event_types: requiredMember(eventTypes, 'The event types that are sent.'),
    projects: memberWithDefault(
      list(linkIn),
      [],
      'Only events of these projects (ids or URLs) are sent; empty for all.',
    ),
    environments: memberWithDefault(
      list(linkIn),
      [],
      'Only events of these environments (ids or URLs) are sent; empty for all.',
    ),
    parameter_names: memberWithDefault(
      list(nameField()),
      [],
      'Only events of parameters with these names are sent; `*` matches any characters. Empty for all.',
    ),
    address: optionalMember(
      address,
      'The URL. It is stored encrypted and returned masked. Required except for e-mail.',
    ),
    recipients: memberWithDefault(
      list(
        z.email({ error: 'Enter an e-mail address, such as ops@example.com.' }).max(LIMITS.email),
        DESTINATION_LIMITS.recipients,
      ),
      [],
      'The e-mail addresses. Required for e-mail, empty for other types.',
    ),
    envelope: memberWithDefault(EnvelopeName, 'standard', 'The form of the bodies of HTTP requests.'),
    signing: memberOnCreate(SigningName.default('hmac'), 'The signature of HTTP requests. It cannot be changed.'),
    expiry_days: memberWithDefault(
      list(z.int().min(1).max(leadTimeDays), leadTimes),
      [14, 7, 1],
      'How many days before a value expires a reminder is sent.',
    ),
  },
);

export const DestinationCreate = shapes.create;
export type DestinationCreate = z.infer<typeof DestinationCreate>;
export const DestinationUpdate = shapes.update;
export const DestinationPatch = shapes.patch;
export type DestinationPatch = z.infer<typeof DestinationPatch>;

export const DestinationListQuery = PageQuery.extend({
  name: nameFilters.name,
  type: choiceParameter(DestinationType, 'Only destinations of this type.'),
});
export type DestinationListQuery = z.infer<typeof DestinationListQuery>;

export const SecretRotation = z
  .object({
    overlap_hours: z
      .int()
      .min(0)
      .max(DESTINATION_LIMITS.overlapHours)
      .default(24)
      .meta({ description: 'For how many hours messages are also signed with the previous secret.' }),
  })
  .meta({ id: 'DestinationSecretRotation' });
export type SecretRotation = z.infer<typeof SecretRotation>;

export const ReplayRequest = z
  .object({
    from_revision: z.int().min(1).meta({ description: 'The first revision whose events are sent again.' }),
    to_revision: z.int().min(1).nullish().meta({ description: 'The last one. Default: the latest revision.' }),
  })
  .meta({ id: 'DestinationReplay' });
export type ReplayRequest = z.infer<typeof ReplayRequest>;

export const ReplayResult = z
  .object({
    messages: z.int().meta({ description: 'The number of messages that are queued.' }),
    events: z.int().meta({ description: 'The number of events in them.' }),
  })
  .meta({ id: 'DestinationReplayResult', description: 'What a replay sends again.' });
export type ReplayResult = z.infer<typeof ReplayResult>;

const DestinationDeliveryStatus = vocabulary(DELIVERY_STATUSES, {
  name: 'DestinationDeliveryStatus',
  description: 'The state of a delivery to a destination.',
  meaning: (status) => `The delivery state ${status}.`,
});

const DestinationDeliveryKind = vocabulary(['change', 'test', 'redelivery', 'reminder'], {
  name: 'DestinationDeliveryKind',
  description: 'The reason for a message.',
  meaning: (kind) =>
    ({
      change: 'Changes of the configuration.',
      test: 'A test message.',
      redelivery: 'Events that are sent again.',
      reminder: 'Values that expire soon.',
    })[kind],
});

/** One message to a destination, which can report several events. It contains neither values nor credentials. */
export const DestinationDelivery = z
  .object({
    id: uuidOutput.meta({ description: 'Id of the object.' }),
    destination: linkOutput.meta({ description: 'The destination.' }),
    message_id: uuidOutput.meta({ description: 'The id of the message, as in the header `webhook-id`.' }),
    kind: DestinationDeliveryKind.meta({ description: 'The reason for the message.' }),
    status: DestinationDeliveryStatus.meta({ description: 'The state.' }),
    event_types: z.array(DestinationEventTypeName).meta({ description: 'The types of the events.' }),
    events: z.int().meta({ description: 'Number of events in the message; 0 for a test message.' }),
    revision: z.int().nullable().meta({ description: 'The last revision in the message.' }),
    text: z
      .string()
      .nullable()
      .meta({ description: 'What the message says; null if it contains changes that the caller cannot access.' }),
    attempts: z.array(DeliveryAttempt).meta({ description: 'The attempts so far.' }),
    next_attempt_at: timeOutput
      .nullable()
      .meta({ description: 'When the next attempt will be made; null if none will.' }),
    hint: z.string().nullable().meta({ description: 'How to resolve the last error.' }),
    created_at: timeOutput.meta({ description: 'When it was queued.' }),
    modified_at: timeOutput.nullable().meta({ description: 'When the state last changed.' }),
  })
  .meta({ id: 'DestinationDelivery', description: 'One message to a destination and its delivery state.' });
export type DestinationDelivery = z.infer<typeof DestinationDelivery>;

export const DestinationDeliveryPage = pageSchema(DestinationDelivery, 'PaginatedDestinationDeliveryList');

export const DestinationDeliveryListQuery = PageQuery.extend({
  status: choiceParameter(DestinationDeliveryStatus, 'Only deliveries in this state.'),
});
export type DestinationDeliveryListQuery = z.infer<typeof DestinationDeliveryListQuery>;
