import type {
  IntegrationDetails,
  IntegrationProvider,
  ListedIntegration,
  ListedPushKey,
  PushDecision,
  PushDetails,
  PushKeyState,
  SyncRun,
} from '../../data/integrations.ts';
import { formatCount } from '../../lib/format-count.ts';
import { KEY_REASONS, KEY_STATES } from '../../lib/push-keys.ts';

interface ProviderWords {
  readonly label: string;
  /** An example of the location of the keys of a push. */
  readonly resource: string;
}

/** The providers, in the order of the choice. */
export const PROVIDERS: Readonly<Record<IntegrationProvider, ProviderWords>> = {
  aws: { label: 'AWS', resource: '/{{ project }}/{{ environment }}/{{ parameter }}' },
  azure_key_vault: {
    label: 'Azure Key Vault',
    resource: '{{ project }}-{{ environment }}-{{ parameter }}',
  },
  google_secret_manager: {
    label: 'Google Secret Manager',
    resource: '{{ project }}-{{ environment }}-{{ parameter }}',
  },
  github: { label: 'GitHub', resource: '{{ project }}/{{ parameter }}' },
};

export const isProvider = (text: string): text is IntegrationProvider => Object.hasOwn(PROVIDERS, text);

export const SERVICES = { secretsmanager: 'Secrets Manager', ssm: 'Parameter Store', s3: 'S3' } as const;
type Service = keyof typeof SERVICES;

export const isService = (text: string | null): text is Service => text !== null && Object.hasOwn(SERVICES, text);

/** Describes whether the provider accepts the connection. */
export const CONNECTION: Readonly<Record<ListedIntegration['status'], string>> = {
  unknown: 'Not used yet',
  pending: 'Waiting',
  checking: 'Checking',
  connected: 'Connected',
  errored: 'Not connected',
  missing: 'Not found',
};

export const keyStateIn = (text: string | undefined): PushKeyState | undefined =>
  text !== undefined && Object.hasOwn(KEY_STATES, text) ? (text as PushKeyState) : undefined;

const ACTIONS: Readonly<Record<ListedPushKey['action'], string>> = {
  none: 'nothing happens',
  create: 'it is created',
  restore: 'it is restored and compared',
  update: 'its text is written',
  delete: 'it is deleted',
  confirm: 'it is recorded as ours',
  take_over: 'it is taken over',
  import: 'its text is imported',
  forget: 'its record is removed',
};

/** Describes why a key has its state, and what the next run does with it. */
export function describeKey({ reason, action, detail }: Pick<ListedPushKey, 'reason' | 'action' | 'detail'>): string {
  const sentences = [`${KEY_REASONS[reason]}.`, detail, action !== 'none' && `In the next run ${ACTIONS[action]}.`];
  return sentences.filter(Boolean).join(' ');
}

/** Returns the label of a decision about a key. */
export function decisionLabel(decision: PushDecision, { state }: Pick<ListedPushKey, 'state'>): string {
  if (decision === 'overwrite') return state === 'foreign' ? 'Take over' : 'Overwrite';
  return decision === 'delete' ? 'Delete' : 'Leave';
}

interface RunWords {
  readonly label: string;
  readonly isBad?: true;
}

/** Returns the state of a run in one or two words. */
export function describeRunState({
  state,
  errorCode,
  dryRun,
}: Pick<SyncRun, 'state' | 'errorCode' | 'dryRun'>): RunWords {
  if (state === 'queued') return errorCode === null ? { label: 'Waiting' } : { label: 'Retrying', isBad: true };
  if (state === 'running') return { label: 'Running' };
  if (state === 'failure') return { label: 'Failed', isBad: true };
  if (state === 'skipped') return { label: errorCode === 'pull_changed' ? 'Skipped' : 'Waits for approval' };
  return { label: dryRun ? 'Planned' : 'Done' };
}

/** Returns whether a run has not ended. */
export const isOpen = ({ state }: Pick<SyncRun, 'state'>): boolean => state === 'queued' || state === 'running';

type Plan = NonNullable<PushDetails['plan']>;

/** Describes what the next run does, as in `2 keys are created, 1 key is deleted`. */
export function describePlan(plan: Plan): string {
  const part = (count: number, verb: string) =>
    count > 0 && `${formatCount(count, 'key')} ${count === 1 ? 'is' : 'are'} ${verb}`;
  const parts = [
    part(plan.creates, 'created'),
    part(plan.updates, 'updated'),
    part(plan.deletes, 'deleted'),
    part(plan.imports, 'imported'),
    part(plan.inSync, 'in sync'),
  ].filter((text) => text !== false);
  return parts.length === 0 ? 'No key changes' : parts.join(', ');
}

/** Describes the keys of a plan that need a decision or cannot be written; null if there are none. */
export function describeBlockedKeys(plan: Plan): string | null {
  const part = (count: number, state: string) => count > 0 && `${count.toLocaleString()} ${state}`;
  const parts = [
    part(plan.foreign, 'foreign'),
    part(plan.drifted, 'drifted'),
    part(plan.undecided, 'to be removed'),
    part(plan.failed, 'failed'),
  ].filter((text) => text !== false);
  return parts.length === 0 ? null : parts.join(', ');
}

/** Describes where a push writes, as in `Secrets Manager, eu-central-1`. */
export function describeStore({
  service,
  region,
}: {
  readonly service: string | null;
  readonly region: string | null;
}) {
  return [isService(service) && SERVICES[service], region].filter(Boolean).join(', ');
}

/** Describes a tag with its environment, as in `stable of production`. */
export const describeTag = (name: string, environment: string | undefined): string =>
  `${name} of ${environment ?? 'a hidden environment'}`;

/** Describes the account, vault or organization of an integration. */
export function describeAccount(integration: IntegrationDetails): string {
  const { awsAccountId, awsRoleName, vaultName, tenantId, ghOrganizationSlug, ghInstallationId } = integration;
  if (integration.provider === 'google_secret_manager') return `Project ${integration.googleProjectId}`;
  if (integration.provider === 'aws') return `Account ${awsAccountId}, role ${awsRoleName}`;
  if (integration.provider === 'azure_key_vault') return `Vault ${vaultName}, tenant ${tenantId}`;
  return ghOrganizationSlug || `Installation ${ghInstallationId}`;
}
