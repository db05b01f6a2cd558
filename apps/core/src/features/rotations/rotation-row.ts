import type { ROTATORS } from '@strata/contract';
import type { EnvironmentId, OrganizationId, ParameterId, RotationStage, SilentPolicy } from '@strata/domain';

/** A row of the table `rotation`. Bytes are text that begins with `\\x`, and times are text. */
export interface RotationRow {
  readonly organization_id: OrganizationId;
  readonly id: string;
  readonly name: string;
  readonly parameter_id: ParameterId;
  readonly environment_id: EnvironmentId;
  readonly rotator: (typeof ROTATORS)[number];
  readonly settings: Readonly<Record<string, unknown>>;
  readonly sealed_credential: string | null;
  readonly interval_days: number | null;
  readonly grace_seconds: number;
  readonly silent: SilentPolicy;
  readonly silent_after_seconds: number;
  readonly stage: RotationStage;
  readonly stage_since: string;
  readonly run_id: string | null;
  readonly is_requested: boolean;
  readonly is_aborted: boolean;
  readonly value_ledger_id: string | null;
  readonly published_credential: string | null;
  readonly published_revision: number | null;
  readonly published_at: string | null;
  readonly new_credential: string | null;
  readonly sealed_new: string | null;
  readonly old_credential: string | null;
  readonly unused_since: string | null;
  readonly retired_credential: string | null;
  readonly own_credentials: readonly string[];
  readonly wait_code: string | null;
  readonly wait_detail: string | null;
  readonly stop_code: string | null;
  readonly stop_detail: string | null;
  readonly failures: number;
  readonly next_attempt_at: string | null;
  readonly lease_token: string | null;
  readonly last_rotated_at: string | null;
}

/** The columns that encrypted texts of a rotation are bound to. */
export const CREDENTIAL_COLUMN = 'rotation.sealed_credential';
export const NEW_COLUMN = 'rotation.sealed_new';

export const toHex = (sealed: Buffer): string => `\\x${sealed.toString('hex')}`;
export const fromHex = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');

/** A reason that people see. */
export interface Reason {
  readonly code: string;
  readonly detail: string;
}
