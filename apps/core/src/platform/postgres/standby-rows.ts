import { VERSIONED_TABLES } from './versioned-table.ts';

/**
 * The state of a standby that may answer a statement. `revision`: it has replayed exactly the revision of the organization. `log`: the
 * whole log of the primary server, too. `primary`: only the primary server answers.
 */
export type RequiredState = 'revision' | 'log' | 'primary';

/** Every change of these rows belongs to a revision of their organization. */
const LEDGER_TABLES = [
  ...VERSIONED_TABLES.flatMap((table) => [table, `${table}_history`]),
  ...['organization_head', 'changeset', 'change', 'tag'],
];

/** Lists show these rows beside the ledger. Some of their changes belong to no revision, or to one of another organization. */
const TABLES_BESIDE_LEDGER = [
  ...[
    'organization',
    'person',
    'membership',
    'former_member',
    'member_group',
    'group_member',
    'access_grant',
    'temporary_grant',
    'rights_version',
  ],
  ...['parameter_expiration', 'instance', 'last_read'],
  ...['integration', 'exchange', 'exchange_project', 'exchange_tag', 'task', 'task_step', 'sync_key'],
];

/** Credentials, keys, jobs, logs, and what a write depends on. */
const PRIMARY_TABLES = [
  ...[
    'api_key',
    'service_account',
    'session',
    'sign_in_code',
    'sign_in_failure',
    'issuer_subject',
    'used_id_token',
    'sso_only',
  ],
  ...['trust_rule', 'organization_key', 'root_key_check', 'service_key', 'data_key', 'invitation', 'preference'],
  ...['idempotency_key', 'access_log', 'access_request', 'departed_scope', 'webhook', 'destination', 'delivery'],
  ...['chat_lane', 'expiry_reminder'],
  ...['sync_key_origin', 'rotation', 'rotation_instance', 'rotation_push', 'rotation_push_key'],
  ...[
    'schema_compatibility',
    'schema_migration',
    'tenant_token_key',
    'token_signing_key',
    'ledger_tile',
    'contents_tile',
  ],
  ...['published_checkpoint'],
];

const REQUIRED_STATES: ReadonlyMap<string, RequiredState> = new Map([
  ...LEDGER_TABLES.map((table) => [table, 'revision'] as const),
  ...TABLES_BESIDE_LEDGER.map((table) => [table, 'log'] as const),
  ...PRIMARY_TABLES.map((table) => [table, 'primary'] as const),
]);

/** The names of all tables that the lists contain. */
export const CLASSIFIED_TABLES: readonly string[] = [...REQUIRED_STATES.keys()];

const LITERALS = /'[^']*'|"[^"]*"/g;
/** Names that may be tables: not the columns of one, and no functions. */
const NAMES = /(?<![.\w$])[a-z][a-z_]*\b(?!\s*\()/g;
const STRICTEST: readonly RequiredState[] = ['primary', 'log', 'revision'];

/** The number of statements whose state is remembered. Callers can vary the text of some statements. */
const REMEMBERED_MAX = 500;
const rememberedStates = new Map<string, RequiredState>();

/** Returns the state of a standby that may answer a statement. An alias with the name of a table counts as the table. */
export function requiredState(statement: string): RequiredState {
  const rememberedState = rememberedStates.get(statement);
  if (rememberedState) return rememberedState;
  const names = statement.replaceAll(LITERALS, '').match(NAMES) ?? [];
  const states = new Set(names.map((name) => REQUIRED_STATES.get(name)));
  const state = STRICTEST.find((candidate) => states.has(candidate)) ?? 'primary';
  if (rememberedStates.size < REMEMBERED_MAX) rememberedStates.set(statement, state);
  return state;
}
