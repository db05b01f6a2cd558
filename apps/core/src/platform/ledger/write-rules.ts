import { assertIfControlled, assertOnScope, Failure, type ObjectType, type OrganizationId } from '@strata/domain';
import type { Caller } from '../caller.ts';
import type { Statement } from '../postgres/prepared-client.ts';
import type { Change } from './change.ts';
import type { BeforeCommitHook, OutboxStatement } from './command.ts';
import type { IdempotencyKeys } from './idempotency-keys.ts';
import type { OrganizationState } from './ledger-statements.ts';

const MAINTENANCE_RETRY_SECONDS = 30;

/** What every write passes, whatever it is: asked by the engine, so that no feature can forget it. */
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

  /** The hooks that concern these changes, each with those of its type. */
  *hooksOf(changes: readonly Change[]): Generator<readonly [BeforeCommitHook, readonly Change[]]> {
    for (const [type, hook] of this.hooks) {
      const concerning = changes.filter(({ objectType }) => objectType === type);
      if (concerning.length > 0) yield [hook, concerning];
    }
  }

  hasHook(objectType: ObjectType): boolean {
    return this.hooks.has(objectType);
  }

  /** What is stored with the changes. */
  following(organizationId: OrganizationId, changes: readonly Change[]): readonly Statement[] {
    const statement = this.outbox?.(organizationId, changes);
    return statement ? [statement] : [];
  }
}

/** Its state; 404 for an organization that is gone, and 503 while it can only be read (behaviour.md §1.10). */
export function assertWritable(state: OrganizationState | undefined): OrganizationState {
  if (!state || state.deleted) throw Failure.notFound('Organization');
  if (!state.maintenance) return state;
  throw new Failure({
    kind: 'unavailable',
    code: 'maintenance',
    message: 'This organization is under maintenance: it can be read, and written again when that is over.',
    retryAfterSeconds: MAINTENANCE_RETRY_SECONDS,
  });
}

/**
 * Whatever a feature forgot to ask: nobody changes what lies in a project or an environment that they may not write in,
 * cascades included. Grants are not content; their feature decides.
 */
export function assertAccess(caller: Caller, { objectType, project, environment }: Change): void {
  if (objectType === 'Grant') return;
  if (project) assertOnScope(caller, 'write', project.id);
  if (environment) (project ? assertIfControlled : assertOnScope)(caller, 'write', environment.id);
}
