import { registerEnumType } from '@nestjs/graphql';
import {
  AWS_SERVICES,
  DELIVERY_STATUSES,
  HISTORY_MODELS,
  HISTORY_TYPES,
  IMPORT_ACTIONS,
  IN_USE,
  INTEGRATION_STATUSES,
  INVITATION_STATES,
  NODE_TYPES,
  PROVIDERS,
  PULL_MODES,
  RULE_KINDS,
  STEP_OPERATIONS,
  TASK_STATES,
  USER_TYPES,
  WEBHOOK_STATES,
} from '@strata/contract';
import { AUDIT_ACTIONS, AUDIT_OBJECT_TYPES, CHANGE_ACTIONS, EVENT_TYPES, EXPORT_FORMATS, ROLES } from '@strata/domain';
import { capital } from './slots.ts';
import { withArticle } from './with-article.ts';

const known = new Map<string, object>();
const keyOf = (words: readonly string[]) => [...words].sort().join(' ');

/** The enum of these words; null where GraphQL cannot name them (`eu-west-1`), which stay text. */
export function enumOfWords(words: readonly string[]): object | null {
  const found = known.get(keyOf(words));
  if (!found && words.every((word) => /^\w+$/.test(word)))
    throw new Error(`No enum has the words ${words.join(', ')}.`);
  return found ?? null;
}

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
  known.set(keyOf(words), members);
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
  const [noun = '', past] = type.split('_');
  return `${capital(withArticle(noun))} was ${past}.`;
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

export const AuditAction = enumOf(
  'AuditAction',
  'What the audit tells of.',
  AUDIT_ACTIONS,
  (action) => `To ${action} it.`,
);

export const AuditObject = enumOf(
  'AuditObject',
  'The kinds of objects that the audit knows.',
  AUDIT_OBJECT_TYPES,
  (type) => `An object of the kind ${type}.`,
);

export const HistoryType = enumOf('HistoryType', 'What happened to it.', HISTORY_TYPES, (type) =>
  type === 'nothing' ? 'Nothing.' : `It was ${type}d.`,
);

export const HistoryModel = enumOf(
  'HistoryModel',
  'What of a parameter was changed.',
  HISTORY_MODELS,
  (model) =>
    ({ Parameter: 'The parameter itself.', ParameterRule: 'One of its rules.', Value: 'One of its values.' })[model],
);

export const InvitationState = enumOf(
  'InvitationState',
  'How far an invitation came.',
  INVITATION_STATES,
  (state) => `It is ${state}.`,
);

export const ExportFormat = enumOf(
  'ExportFormat',
  'Notations of a file of environment variables.',
  EXPORT_FORMATS,
  (format) => `As ${format} reads it.`,
);

export const ImportAction = enumOf(
  'ImportAction',
  'What an import does with one name.',
  IMPORT_ACTIONS,
  (action) => `The value is ${action}.`,
);

export const Provider = enumOf(
  'IntegrationProvider',
  'Whose cloud an integration reaches.',
  PROVIDERS,
  (provider) => ({ aws: 'Amazon Web Services.', azure_key_vault: 'Azure Key Vault.', github: 'GitHub.' })[provider],
);

export const IntegrationStatus = enumOf(
  'IntegrationStatus',
  'Whether an integration works.',
  INTEGRATION_STATUSES,
  (status) => `It is ${status}.`,
);

export const TaskState = enumOf('TaskState', 'How far a run is.', TASK_STATES, (state) => `It is ${state}.`);

export const StepOperation = enumOf('StepOperation', 'What a step did.', STEP_OPERATIONS, (step) => `To ${step} it.`);

export const PullMode = enumOf('PullMode', 'How a pull finds names.', PULL_MODES, (mode) =>
  mode === 'mapped' ? 'By a list of values.' : 'By a pattern.',
);

export const AwsService = enumOf(
  'AwsService',
  'Services of AWS.',
  AWS_SERVICES,
  (service) => `The service ${service}.`,
);

export const InUse = enumOf(
  'InUse',
  'What to do with an integration that is in use.',
  IN_USE,
  (choice) =>
    ({
      fail: 'Refuse.',
      leave: 'Delete it, and leave what it wrote.',
      remove: 'Delete it, and what it wrote.',
    })[choice],
);

export const IntegrationNodeType = enumOf(
  'IntegrationNodeType',
  'What a thing on the other side is.',
  NODE_TYPES,
  (type) => `A ${type}.`,
);
