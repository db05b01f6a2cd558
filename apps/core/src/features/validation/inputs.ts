import type {
  EnvironmentId,
  OrganizationId,
  ParameterId,
  ProjectId,
  Rule,
  RuleKind,
  ScopedName,
  Uuid,
  ValueId,
} from '@strata/domain';
import type { EvaluationInputs } from '../templating/evaluation-inputs.ts';

/** A parameter with its current or future type. */
export interface TypedParameter {
  readonly organizationId: OrganizationId;
  readonly id: ParameterId;
  readonly name: string;
  readonly typeId: Uuid;
}

/** A literal text for an existing or a new parameter. */
export interface ParameterText {
  readonly text: string;
  /** The parameter's name, for messages. */
  readonly name: string;
  /** The name of its type. */
  readonly type: string;
  /** Null for a parameter that does not exist yet; otherwise its own rules count, too. */
  readonly parameterId: ParameterId | null;
}

/** A rule that is added or changed; `replacedKind` is the kind of a changed rule before. */
interface NewRule {
  readonly rule: Rule;
  readonly replacedKind: RuleKind | null;
}

/** A change of types or rules, which must be consistent with stored rules and values. */
export type TypingChange =
  /** Checked before the write: `parameter` has its new type. */
  | { readonly kind: 'parameter_type'; readonly parameter: TypedParameter }
  /** Checked before the write. */
  | ({ readonly kind: 'parameter_rule'; readonly parameter: TypedParameter } & NewRule)
  /** Checked before the write. */
  | ({ readonly kind: 'type_rule'; readonly typeId: Uuid } & NewRule)
  /** Checked after the type has its new parent. */
  | { readonly kind: 'type_parent'; readonly typeId: Uuid };

/** The targets of parameter names in a project and its dependents may have changed. */
export interface NamesChange {
  readonly kind: 'names';
  readonly projectId: ProjectId;
  readonly names: readonly string[];
  /** Only this environment and those below it; all if absent. */
  readonly environmentId?: EnvironmentId;
  /** Something was removed, so that dynamic values of these names may have become effective. */
  readonly uncovers?: boolean;
  /** For a previewed write: applies its changes to the loaded inputs. */
  readonly after?: (inputs: EvaluationInputs) => EvaluationInputs;
}

/** Names of several projects have other targets now, and templates have other texts. */
export interface ScopedNamesChange {
  readonly places: readonly ScopedName[];
  readonly templateIds: readonly Uuid[];
}

/** A change that dynamic values may depend on. It is checked inside the write, after the change is stored. */
export type DependencyChange =
  | NamesChange
  /** Values may have become effective, too. */
  | ({ readonly kind: 'places' } & ScopedNamesChange)
  /** The body of a template. */
  | { readonly kind: 'template'; readonly templateId: Uuid }
  /**
   * A project depends on another one; `exchanged` are the projects whose parameters are visible only before or only
   * after.
   */
  | { readonly kind: 'project_moved'; readonly projectId: ProjectId; readonly exchanged: readonly ProjectId[] }
  /**
   * An environment has another parent; `exchanged` are the environments that are inherited from only before or only
   * after.
   */
  | {
      readonly kind: 'environment_moved';
      readonly environmentId: EnvironmentId;
      readonly exchanged: readonly EnvironmentId[];
    }
  /** Values in a new location. */
  | { readonly kind: 'new_values'; readonly valueIds: readonly ValueId[] };

/**
 * The shape of an error: 400 on a field, 400 as a bare list, or 409. Programs that delete objects in any order repeat a
 * request after a 409, and succeed once the dependents are deleted.
 */
export type ErrorShape = { readonly field: string } | 'list' | 'conflict';
