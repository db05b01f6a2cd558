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

/** A parameter, with what it can be filtered by. */
export interface ViewedParameter extends ParameterRow {
  readonly description: string;
  readonly secret: boolean;
}

export interface ParameterRecord extends ViewedParameter, VersionedRow<'parameter'> {
  /** Its name. */
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
  /** Clear text; null when the value is an explicit null or sealed. */
  readonly text: string | null;
  /** Sealed text as PostgreSQL writes bytes: `\x…`. */
  readonly sealed: string | null;
  /** The text is one to evaluate. */
  readonly interpolated: boolean;
}

export interface ValueRecord extends TextRecord {
  readonly ledger_id: string;
  readonly created_at: string;
  readonly modified_at: string;
}

/** A text that refers to a parameter: a template, or a value of another parameter. */
export interface ReferrerRecord {
  /** What is referred to. */
  readonly parameterId: ParameterId;
  readonly sourceId: string;
  /** The project of the template, or of the value's parameter. */
  readonly projectId: ProjectId;
  /** Null for a template. */
  readonly ofParameterId: ParameterId | null;
  /** The environment that the value is set in; null for a template. */
  readonly environmentId: EnvironmentId | null;
  /** Of the template, or of the value's parameter. */
  readonly name: string;
  readonly projectName: string;
}

/** What some projects are made of at one point in time; the same for everybody. */
export interface ConfigurationSnapshot<
  P extends ViewedParameter = ParameterRecord,
  V extends TextRecord = ValueRecord,
> {
  readonly organizationId: OrganizationId;
  readonly at: PointInTime;
  /** Its revision is the one that was read. */
  readonly head: Head;
  /** All environments of the organization, in any order. */
  readonly environments: readonly EnvironmentNode[];
  /** The projects that were asked about and all that they depend on, in any order. */
  readonly projects: readonly ProjectLink[];
  /** What these projects depend on by now; null when this is the present. */
  readonly projectsNow: readonly ProjectLink[] | null;
  /** Of these projects. */
  readonly parameters: readonly P[];
  /** By kind; empty unless they were asked for. */
  readonly rules: readonly RuleRecord[];
  /** Explicit values of these parameters. */
  readonly values: readonly V[];
  /** Whoever wrote them; empty unless they were asked for. */
  readonly referrers: readonly ReferrerRecord[];
}
