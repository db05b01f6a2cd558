import {
  assertAbilityOnScope,
  assertIfControlled,
  Failure,
  type ObjectType,
  type OrganizationId,
} from '@strata/domain';
import type { Caller } from '../caller.ts';
import type { Statement } from '../postgres/prepared-client.ts';
import type { Change } from './change.ts';
import type { BeforeCommitHook, OutboxStatement } from './command.ts';
import type { IdempotencyKeys } from './idempotency-keys.ts';
import type { OrganizationState } from './ledger-statements.ts';

const MAINTENANCE_RETRY_SECONDS = 30;

/** The checks of every write. The engine runs them, so that no feature can forget them. */
export class WriteRules {
  private readonly hooks = new Map<ObjectType, BeforeCommitHook>();
  private outbox: OutboxStatement | null = null;

  constructor(readonly idempotencyKeys: IdempotencyKeys) {}

  addHook(objectType: ObjectType, hook: BeforeCommitHook): void {
    this.hooks.set(objectType, hook);
  }

  setOutbox(statement: OutboxStatement): void {
    this.outbox = statement;
  }

  /** Yields the hooks for these changes, each with the changes of its type. */
  *selectHooks(changes: readonly Change[]): Generator<readonly [BeforeCommitHook, readonly Change[]]> {
    for (const [type, hook] of this.hooks) {
      const relevantChanges = changes.filter(({ objectType }) => objectType === type);
      if (relevantChanges.length > 0) yield [hook, relevantChanges];
    }
  }

  hasHook(objectType: ObjectType): boolean {
    return this.hooks.has(objectType);
  }

  /** Returns the statements that store the messages of the changes. */
  following(organizationId: OrganizationId, changes: readonly Change[]): readonly Statement[] {
    const statement = this.outbox?.(organizationId, changes);
    return statement ? [statement] : [];
  }
}

/**
 * Returns the state. Throws 404 for a deleted organization, and 503 during maintenance (behaviour.md §1.10) or if the
 * schema does not support this core.
 */
export function assertWritable(state: OrganizationState | undefined): OrganizationState {
  if (!state || state.deleted) throw Failure.notFound('Organization');
  if (state.isSchemaIncompatible) throw incompatibleSchemaError();
  if (!state.maintenance) return state;
  throw new Failure({
    kind: 'unavailable',
    code: 'maintenance',
    message: 'This organization is in maintenance mode and read-only. Try again later.',
    retryAfterSeconds: MAINTENANCE_RETRY_SECONDS,
  });
}

function incompatibleSchemaError(): Failure {
  return new Failure({
    kind: 'unavailable',
    code: 'database_unavailable',
    message:
      'The database was upgraded for later releases, so this process of an earlier release cannot write any more. Nothing was stored; try again in a moment.',
    retryAfterSeconds: MAINTENANCE_RETRY_SECONDS,
  });
}

/**
 * Throws if the caller may not write in the project or environment of a change, including cascading deletes, even if the
 * feature did not check it. Grants are not content; their feature checks them.
 */
export function assertAccess(caller: Caller, { objectType, project, environment }: Change): void {
  if (objectType === 'Grant') return;
  if (project) assertAbilityOnScope(caller, 'write', project.id);
  if (environment) (project ? assertIfControlled : assertAbilityOnScope)(caller, 'write', environment.id);
}
