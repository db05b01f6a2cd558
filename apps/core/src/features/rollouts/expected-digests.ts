import {
  canReadConfiguration,
  effectivePermissions,
  Failure,
  type Permissions,
  permissionsKey,
  type Revision,
} from '@strata/domain';
import { toStoredPermissions } from '../../platform/auth/scope-rows.ts';
import type { CurrentHead } from '../../platform/ledger/heads.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { ConfigurationStates, StreamSelection } from '../effective/stream/configuration-states.ts';
import { instanceDigest } from '../instances/instance-digest.ts';
import type { FollowedRow } from './rollout-statements.ts';

type TargetScope = Pick<StreamSelection, 'organizationId' | 'projectId' | 'environmentId'>;

/**
 * The digests of one configuration at one revision, by selection and permissions. Each is computed once, with the
 * permissions of the account that follows it.
 */
export class ExpectedDigests {
  private readonly digests = new Map<string, string | null>();

  constructor(
    private readonly services: { readonly states: ConfigurationStates; readonly vault: Vault },
    private readonly scope: TargetScope,
    private readonly revision: Revision,
  ) {}

  /** Throws 404 if the scope did not exist at the revision, and 403 if the caller may not read it. */
  async assertReadable(permissions: Permissions, head: CurrentHead): Promise<void> {
    const emptySelection = { ...this.scope, names: [], reveal: false };
    await this.services.states.at(emptySelection, permissions, this.revision, head);
  }

  /** Returns the keyed digest for each account and selection; null if the account cannot receive the configuration. */
  async of(followedRows: readonly FollowedRow[], head: CurrentHead): Promise<readonly object[]> {
    const expected: object[] = [];
    for (const { role, scopes, reveals_secrets, temporary, key_scopes, key_locations, ...row } of followedRows) {
      const storedPermissions = toStoredPermissions({ role, scopes, reveals_secrets, temporary, key_locations });
      const limit = { isWorkload: row.is_workload, keyScopes: key_scopes };
      const permissions = effectivePermissions(storedPermissions, limit);
      const digest = permissions && (await this.digest(row, permissions, head));
      const owner = { ...row, organizationId: this.scope.organizationId, personId: row.person_id };
      expected.push({ ...row, digest: digest && (await instanceDigest(this.services.vault, owner, digest)) });
    }
    return expected;
  }

  private async digest(
    { names, reveal }: Pick<FollowedRow, 'names' | 'reveal'>,
    permissions: Permissions,
    head: CurrentHead,
  ): Promise<string | null> {
    const key = JSON.stringify([permissionsKey(permissions), names, reveal]);
    const cachedDigest = this.digests.get(key);
    if (cachedDigest !== undefined) return cachedDigest;
    const digest = await this.read({ ...this.scope, names, reveal }, permissions, head);
    this.digests.set(key, digest);
    return digest;
  }

  private async read(selection: StreamSelection, permissions: Permissions, head: CurrentHead): Promise<string | null> {
    if (!canReadConfiguration(permissions, selection)) return null;
    try {
      const state = await this.services.states.at(selection, permissions, this.revision, head);
      return state.problem === null ? state.delivered.digest : null;
    } catch (error) {
      if (error instanceof Failure && (error.kind === 'forbidden' || error.kind === 'not_found')) return null;
      throw error;
    }
  }
}
