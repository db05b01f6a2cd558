import type {
  EnvironmentId,
  EnvironmentNode,
  ExternalSource,
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

/** A parameter with the columns that filters need. */
export interface ViewedParameter extends ParameterRow {
  readonly description: string;
  readonly secret: boolean;
  readonly expires: string | null;
  readonly type_id: Uuid;
}

export interface ParameterRecord extends ViewedParameter, VersionedRow<'parameter'> {
  /** The name of the type. */
  readonly type: string;
  readonly expiration_action: Readonly<Record<string, unknown>> | null;
  readonly expired_status: Readonly<Record<string, unknown>> | null;
}

/** A rule that is defined on a parameter itself, not on its type. */
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
  /** The clear text. Null if the value is an explicit null or encrypted. */
  readonly text: string | null;
  /** The encrypted text in PostgreSQL's format for bytes: `\x…`. */
  readonly sealed: string | null;
  /** Whether the value is dynamic. */
  readonly interpolated: boolean;
}

export interface ValueRecord extends TextRecord {
  /** Where the text comes from, if it is external. Read it with `externalSource`. */
  readonly source: ExternalSource | null;
  readonly ledger_id: string;
  readonly created_at: string;
  readonly modified_at: string;
}

/** A text that refers to a parameter: a template, or a value of another parameter. */
export interface ReferrerRecord {
  readonly parameterId: ParameterId;
  readonly sourceId: string;
  /** The project of the template, or of the parameter that the value belongs to. */
  readonly projectId: ProjectId;
  /** The parameter that the value belongs to; null for a template. */
  readonly ofParameterId: ParameterId | null;
  /** The environment that the value is set in; null for a template. */
  readonly environmentId: EnvironmentId | null;
  /** The name of the template, or of the parameter that the value belongs to. */
  readonly name: string;
  readonly projectName: string;
}

/** The configuration of some projects at one point in time. The same for every caller. */
export interface ConfigurationSnapshot<
  P extends ViewedParameter = ParameterRecord,
  V extends TextRecord = ValueRecord,
> {
  readonly organizationId: OrganizationId;
  readonly at: PointInTime;
  /** The head at the revision that was read. */
  readonly head: Head;
  /** All environments of the organization, in no particular order. */
  readonly environments: readonly EnvironmentNode[];
  /** The requested projects and all projects that they depend on, in no particular order. */
  readonly projects: readonly ProjectLink[];
  /** The current dependencies of these projects; null if the snapshot shows the present. */
  readonly projectsNow: readonly ProjectLink[] | null;
  /** The parameters of these projects. */
  readonly parameters: readonly P[];
  /** The rules, sorted by kind. Empty unless requested. */
  readonly rules: readonly RuleRecord[];
  /** The explicit values of these parameters. */
  readonly values: readonly V[];
  /** The texts that refer to the parameters, including those in forbidden scopes. Empty unless requested. */
  readonly referrers: readonly ReferrerRecord[];
}
