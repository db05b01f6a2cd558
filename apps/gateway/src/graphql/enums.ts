import { registerEnumType } from '@nestjs/graphql';
import { DELIVERY_STATUSES, RULE_KINDS, USER_TYPES, WEBHOOK_STATES } from '@strata/contract';
import { CHANGE_ACTIONS, EVENT_TYPES, ROLES } from '@strata/domain';

/** A GraphQL enum whose names are the very words of the wire. */
function enumOf<const Word extends string>(
  name: string,
  description: string,
  words: readonly Word[],
  about: (word: Word) => string,
): Record<Word, Word> {
  const members = Object.fromEntries(words.map((word) => [word, word])) as Record<Word, Word>;
  const valuesMap = Object.fromEntries(words.map((word) => [word, { description: about(word) }]));
  registerEnumType(members, { name, description, valuesMap: valuesMap as never });
  return members;
}

const spaced = (word: string) => word.replaceAll('_', ' ');

export const Role = enumOf(
  'Role',
  'What a person or service account may do, from most to least.',
  ROLES,
  (role) =>
    ({
      OWNER: 'Everything, including the organization itself.',
      ADMIN: 'Manages people, webhooks and integrations.',
      CONTRIB: 'Changes environments, projects, parameters and values.',
      VIEWER: 'Reads.',
    })[role],
);

export const UserKind = enumOf('UserKind', 'Who stands behind a credential.', USER_TYPES, (kind) =>
  kind === 'service' ? 'A service account with an API key.' : 'A person.',
);

export const RuleKind = enumOf(
  'RuleKind',
  'What a rule limits.',
  RULE_KINDS,
  (kind) =>
    ({
      max: 'Largest integer.',
      min: 'Smallest integer.',
      max_len: 'Most characters.',
      min_len: 'Fewest characters.',
      regex: 'Regular expression that the text must match from its start.',
    })[kind],
);

export const EventType = enumOf('EventType', 'The twelve kinds of change that are announced.', EVENT_TYPES, (type) => {
  const [noun, past] = type.split('_');
  return `A ${noun} was ${past}.`;
});

export const ChangeAction = enumOf('ChangeAction', 'What was done.', CHANGE_ACTIONS, (action) => `To ${action} it.`);

export const WebhookState = enumOf('WebhookState', 'Whether a webhook sends messages.', WEBHOOK_STATES, (state) =>
  state === 'active' ? 'Messages are sent.' : 'Nothing is sent until it is enabled again.',
);

export const DeliveryStatus = enumOf(
  'DeliveryStatus',
  'How far a message came.',
  DELIVERY_STATUSES,
  (status) => `The message is ${spaced(status)}.`,
);

export const WebhookKind = enumOf('WebhookKind', 'Which chat service a webhook talks to.', ['slack'], () => 'Slack.');
