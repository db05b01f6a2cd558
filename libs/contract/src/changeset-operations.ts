import type { ObjectType } from '@strata/domain';
import type { Operation } from './operation.ts';

/**
 * The operations besides the standard ones of each noun, with the type of the objects they write; null for several
 * types.
 */
const YES: ReadonlyMap<string, ObjectType | null> = new Map<string, ObjectType | null>([
  ['environments_copy_create', 'Environment'],
  ['projects_copy_create', 'Project'],
  ['projects_parameters_copy_create', 'Parameter'],
  ['import_create', null],
  ['groups_add_create', 'Group'],
  ['groups_remove_create', 'Group'],
  ['grants_multi_destroy', null],
  ['webhooks_enable_create', 'Webhook'],
]);

const READS = 'The operation only reads. Send it as a separate request.';
const CHANGESET = 'The operation is itself a changeset. Use `set` for its values.';
const REVERT = 'A revert is itself a changeset. Send it as a separate request.';
const OUTSIDE = 'Its external effects cannot be rolled back.';
const INTEGRATION = 'Integrations affect external systems, where changes cannot be rolled back.';
const SHOWN_ONCE = 'The response shows a secret that cannot be shown again.';
const CREDENTIAL = 'It creates or revokes a credential.';
const CREDENTIAL_OF_RECEIVER = 'It changes where messages and their credentials go.';
const REPORT = 'It reports what a program runs, and changes nothing.';
const OWN = 'It changes only the account or the preferences of the caller.';
const DECISION = 'A person decides it by itself. Send it as a separate request.';
const ORGANIZATION = 'It changes the organization or the account itself.';

const NO: Readonly<Record<string, string>> = {
  changesets_create: CHANGESET,
  changesets_revert_create: REVERT,
  revert_create: REVERT,
  changesets_revert_plan_create: READS,
  revert_plan_create: READS,
  changesets_plan_create: READS,
  projects_values_update: CHANGESET,
  projects_template_preview_create: READS,
  flags_evaluate: READS,
  flags_evaluate_one: READS,
  backup_snapshot_create: READS,
  types_validate_create: READS,
  projects_parameters_validate_create: READS,
  utils_generate_password_create: READS,
  batch_create: READS,
  rollouts_create: REPORT,
  forwarded_reads_create: REPORT,
  destinations_create: SHOWN_ONCE,
  destinations_update: CREDENTIAL_OF_RECEIVER,
  destinations_partial_update: CREDENTIAL_OF_RECEIVER,
  destinations_destroy: CREDENTIAL_OF_RECEIVER,
  destinations_enable_create: OUTSIDE,
  destinations_rotate_secret_create: SHOWN_ONCE,
  destinations_test_create: OUTSIDE,
  destinations_replay_create: OUTSIDE,
  destinations_deliveries_redeliver_create: OUTSIDE,
  rotations_create: CREDENTIAL,
  rotations_update: CREDENTIAL,
  rotations_partial_update: CREDENTIAL,
  rotations_destroy: CREDENTIAL,
  rotations_rotate_create: OUTSIDE,
  rotations_abort_create: OUTSIDE,
  rotations_dismiss_create: OUTSIDE,
  access_requests_create: DECISION,
  access_requests_destroy: DECISION,
  access_requests_approve_create: DECISION,
  access_requests_decline_create: DECISION,
  access_requests_revoke_create: DECISION,
  webhooks_test_create: OUTSIDE,
  webhooks_deliveries_redeliver_create: OUTSIDE,
  serviceaccounts_create: SHOWN_ONCE,
  serviceaccounts_rekey_create: SHOWN_ONCE,
  serviceaccounts_update: CREDENTIAL,
  serviceaccounts_partial_update: CREDENTIAL,
  serviceaccounts_destroy: CREDENTIAL,
  serviceaccounts_trust_rules_create: CREDENTIAL,
  serviceaccounts_trust_rules_destroy: CREDENTIAL,
  invitations_create: SHOWN_ONCE,
  invitations_resend_create: SHOWN_ONCE,
  invitations_update: CREDENTIAL,
  invitations_partial_update: CREDENTIAL,
  invitations_destroy: CREDENTIAL,
  invitations_accept_create: ORGANIZATION,
  invitations_offer_create: READS,
  auth_token_create: SHOWN_ONCE,
  auth_session_create: SHOWN_ONCE,
  auth_code_create: SHOWN_ONCE,
  auth_session_destroy: CREDENTIAL,
  auth_exchange_create: SHOWN_ONCE,
  users_current_partial_update: OWN,
  users_current_recents_update: OWN,
  users_current_favourites_update: OWN,
  users_current_favourites_destroy: OWN,
  users_current_views_update: OWN,
  users_current_views_destroy: OWN,
  users_current_collapsed_environments_update: OWN,
  users_current_collapsed_environments_destroy: OWN,
  users_current_sessions_destroy: CREDENTIAL,
  organizations_sign_in_update: ORGANIZATION,
  users_current_password_create: CREDENTIAL,
  users_current_tokens_destroy: CREDENTIAL,
  users_destroy: ORGANIZATION,
  organizations_create: ORGANIZATION,
  organizations_update: ORGANIZATION,
  organizations_partial_update: ORGANIZATION,
  organizations_destroy: ORGANIZATION,
};

type ChangesetUse =
  /** `makes`: the type of the object that the operation creates or changes; null if it affects several types. */
  | { readonly changeset: 'yes'; readonly makes: ObjectType | null }
  | { readonly changeset: 'no'; readonly reason: string };

/** Returns whether each operation of the contract can be part of a changeset, and the reason if it cannot. */
export function changesetUse({ id, method, writes }: Pick<Operation, 'id' | 'method' | 'writes'>): ChangesetUse {
  if (method === 'get') return { changeset: 'no', reason: READS };
  const makes = writes ?? YES.get(id);
  if (makes !== undefined) return { changeset: 'yes', makes };
  const reason = NO[id] ?? (id.startsWith('integrations_') ? INTEGRATION : undefined);
  if (reason === undefined) throw new Error(`${id} does not declare whether it can be part of a changeset.`);
  return { changeset: 'no', reason };
}

/** They start and end the sessions of programs, which have the limits of their credential. */
const SESSIONS_OF_CREDENTIALS: readonly string[] = [
  'auth_session_create',
  'auth_session_destroy',
  'auth_token_create',
  'auth_exchange_create',
];

/**
 * Returns whether an operation changes something, so that an API key needs the scope `write` for it. Programs that only
 * read report what they run, too.
 */
export function isChange(operation: Pick<Operation, 'id' | 'method' | 'writes'>): boolean {
  if (SESSIONS_OF_CREDENTIALS.includes(operation.id)) return false;
  const use = changesetUse(operation);
  return use.changeset === 'yes' || (use.reason !== READS && use.reason !== REPORT);
}
