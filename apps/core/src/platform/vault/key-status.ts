import { formatCount } from '@strata/domain';
import type pg from 'pg';
import { requireActiveRootKey } from './active-root-key.ts';
import { countUnnumberedOrganizations } from './data-key-rotation.ts';
import type { RootKeys } from './root-key.ts';
import { isHeldByAllCores } from './root-key-holders.ts';
import { countKeysUnderOtherRootKeys } from './root-key-rotation.ts';

/** The root keys of an installation, by their fingerprints, and the progress of their rotation. */
export interface KeyStatus {
  /** The root key that encrypts new keys. */
  readonly active: string;
  /** The keys in STRATA_ROOT_KEY and STRATA_PREVIOUS_ROOT_KEY. */
  readonly current: string;
  readonly previous: string | null;
  /** The number of keys that STRATA_ROOT_KEY does not encrypt yet. */
  readonly remaining_keys: number;
  /** The number of organizations whose texts name no data key. */
  readonly unnumbered_organizations: number;
  /** Whether all running cores have STRATA_ROOT_KEY. */
  readonly is_held_by_all_cores: boolean;
}

export async function readKeyStatus(client: pg.Client, rootKeys: RootKeys): Promise<KeyStatus> {
  const active = await requireActiveRootKey((sql) => client.query(sql).then(({ rows }) => rows), rootKeys);
  return {
    active: active.id.toString('hex'),
    current: rootKeys.current.id.toString('hex'),
    previous: rootKeys.previous?.id.toString('hex') ?? null,
    remaining_keys: await countKeysUnderOtherRootKeys(client, rootKeys.current),
    unnumbered_organizations: await countUnnumberedOrganizations(client),
    is_held_by_all_cores: await isHeldByAllCores(client, rootKeys.current),
  };
}

/** Returns the status for a terminal. */
export function printKeyStatus(status: KeyStatus): string {
  const describe = (id: string) => `${id}${id === status.active ? ' (active)' : ''}`;
  const remaining = formatCount(status.remaining_keys, 'key is', 'keys are');
  const rows = [
    ['STRATA_ROOT_KEY', describe(status.current)],
    ...(status.previous ? [['STRATA_PREVIOUS_ROOT_KEY', describe(status.previous)]] : []),
    ['Keys', status.remaining_keys === 0 ? 'all encrypted with STRATA_ROOT_KEY' : `${remaining} to encrypt again`],
    ['Data keys', describeDataKeys(status.unnumbered_organizations)],
    ['Cores', status.is_held_by_all_cores ? 'all have STRATA_ROOT_KEY' : 'some lack STRATA_ROOT_KEY'],
  ];
  return `${rows.map(([name = '', text]) => `${name.padEnd(25)} ${text}`).join('\n')}\n`;
}

function describeDataKeys(count: number): string {
  if (count === 0) return 'all organizations have numbered ones';
  return `${formatCount(count, 'organization has none', 'organizations have none')}: run strata keys rotate --data-keys`;
}
