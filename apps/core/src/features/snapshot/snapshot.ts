import type {
  EnvironmentId,
  EnvironmentNode,
  OrganizationId,
  ParameterId,
  ParameterRow,
  ProjectId,
  ProjectLink,
  RuleKind,
  Uuid,
  ValueRow,
} from '@strata/domain';
import type { Head } from '../../platform/ledger/heads.ts';
import type { PointInTime, VersionedRow } from '../../platform/postgres/versioned-table.ts';

/** A parameter, with the columns that filters use. */
export interface ViewedParameter extends ParameterRow {
  readonly description: string;
  readonly secret: boolean;
}

export interface ParameterRecord extends ViewedParameter, VersionedRow<'parameter'> {
  /** The name of the type. */
  readonly type: string;
  readonly expiration_action: Readonly<Record<string, unknown>> | null;
  readonly expired_status: Readonly<Record<string, unknown>> | null;
}

/** A rule that a parameter itself has. */
export interface RuleRecord {
  readonly id: Uuid;
  readonly parameterId: ParameterId;
  readonly ledger_id: string;
  readonly type: RuleKind;
  readonly constraint: string;
  readonly created_at: string;
  readonly modified_at: string;
}

/** A value with its text. */
export interface TextRecord extends ValueRow {
  /** Clear text; null if the value is an explicit null or sealed. */
  readonly text: string | null;
  /** Sealed text in PostgreSQL's format for bytes: `\x…`. */
  readonly sealed: string | null;
  /** Whether the text is evaluated. */
  readonly interpolated: boolean;
}

export interface ValueRecord extends TextRecord {
  readonly ledger_id: string;
  readonly created_at: string;
  readonly modified_at: string;
}

/** A text that refers to a parameter: a template, or a value of another parameter. */
export interface ReferrerRecord {
  /** The parameter that the text refers to. */
  readonly parameterId: ParameterId;
  readonly sourceId: string;
  /** The project of the template, or of the value's parameter. */
  readonly projectId: ProjectId;
  /** A template has none (null). */
  readonly ofParameterId: ParameterId | null;
  /** The environment that the value is set in; null for a template. */
  readonly environmentId: EnvironmentId | null;
  /** The name of the template, or of the value's parameter. */
  readonly name: string;
  readonly projectName: string;
}

/** The configuration of some projects at one point in time, the same for every caller. */
export interface ConfigurationSnapshot<
  P extends ViewedParameter = ParameterRecord,
  V extends TextRecord = ValueRecord,
> {
  readonly organizationId: OrganizationId;
  readonly at: PointInTime;
  /** The head whose revision was read. */
  readonly head: Head;
  /** All environments of the organization, in any order. */
  readonly environments: readonly EnvironmentNode[];
  /** The requested projects and all that they depend on, in any order. */
  readonly projects: readonly ProjectLink[];
  /** The current dependencies of these projects; null if this is the present. */
  readonly projectsNow: readonly ProjectLink[] | null;
  /** The parameters of these projects. */
  readonly parameters: readonly P[];
  /** The rules by kind; empty unless they were requested. */
  readonly rules: readonly RuleRecord[];
  /** Explicit values of these parameters. */
  readonly values: readonly V[];
  /** Includes forbidden ones; empty unless they were requested. */
  readonly referrers: readonly ReferrerRecord[];
}
