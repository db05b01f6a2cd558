import type { OrganizationId, Revision } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { At, Change } from './ledger-statements.ts';
import type { Statement } from './prepared-client.ts';

export interface WriteContext {
  /** Every statement of this write goes through here, and so into one transaction. */
  readonly em: EntityManager;
  readonly revision: Revision;
  /** The instant of this write: every row it touches carries it as modified_at. */
  readonly at: string;
  record(change: Change): void;
  /**
   * Sends a statement that nothing in this write has to wait for: it travels with what follows. If it fails, so does the
   * write. Its rows may be waited for after the commit.
   */
  send<Row extends object>(statement: Statement): Promise<Row[]>;
  /** Runs after the commit, before the next write of this process begins. */
  afterwards(work: () => Promise<void>): void;
}

export interface Written<T> {
  readonly result: T;
  /** The revision that holds the result; the one before it when nothing changed. */
  readonly revision: Revision;
}

/** What must be stored with the changes, in their transaction and after them; null when nothing follows. */
export type Consequence = (organizationId: OrganizationId, changes: readonly Change[]) => Statement | null;

/** Runs inside the transaction, before the changes are appended: what changes along with those of its type, recorded like them. */
export type Companion = (
  context: WriteContext,
  organizationId: OrganizationId,
  changes: readonly Change[],
) => Promise<void>;

/** A write that is decided on before it begins. */
export interface KnownWrite<Row, T> {
  /** When what it was decided on is true; asked when no other write of this process is on its way. Null when it is not any more. */
  readonly at: () => At | null;
  /** Fails where it would change nothing. */
  readonly statement: Statement;
  readonly change: Change;
  /** What becomes of its rows, before the next write of this process begins. */
  readonly made: (rows: Row[], revision: Revision) => T;
}

export interface WriteOptions {
  /** Its result holds a secret that nobody is shown again. */
  readonly isShownOnce?: boolean;
}
