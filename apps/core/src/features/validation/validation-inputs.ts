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

/** A parameter with its current type, or with the one that it will get. */
export interface TypedParameter {
  readonly organizationId: OrganizationId;
  readonly id: ParameterId;
  readonly name: string;
  readonly typeId: Uuid;
}

/** A literal text for an existing parameter or for a new one. */
export interface ParameterText {
  readonly text: string;
  /** The parameter's name, for messages. */
  readonly name: string;
  readonly type: string;
  /** The id of an existing parameter, whose own rules also apply; null for a new one. */
  readonly parameterId: ParameterId | null;
}

/** A dynamic value in the database, with its parameter. */
export interface DynamicParameterText extends Omit<ParameterText, 'text'> {
  readonly id: ValueId;
}

/** A rule that is added or changed. `replacedKind` is the previous kind of a changed rule. */
interface NewRule {
  readonly rule: Rule;
  readonly replacedKind: RuleKind | null;
}

/** A change of types or rules. Stored rules and values must be valid after it. */
export type TypingChange =
  /** Validated before the write. `parameter` has its new type. */
  | { readonly kind: 'parameter_type'; readonly parameter: TypedParameter }
  /** Validated before the write. */
  | ({ readonly kind: 'parameter_rule'; readonly parameter: TypedParameter } & NewRule)
  /** Validated before the write. */
  | ({ readonly kind: 'type_rule'; readonly typeId: Uuid } & NewRule)
  /** Validated after the type has its new parent. */
  | { readonly kind: 'type_parent'; readonly typeId: Uuid };

/** Parameter names in a project and its dependents may have new targets. */
export interface NamesChange {
  readonly kind: 'names';
  readonly projectId: ProjectId;
  readonly names: readonly string[];
  /** Only this environment and its descendants are affected; undefined affects all environments. */
  readonly environmentId?: EnvironmentId;
  /** Whether something was removed, so that other dynamic values of these names may have become effective. */
  readonly uncovers?: boolean;
  /** Applies the changes of a previewed write to the loaded inputs. */
  readonly after?: (inputs: EvaluationInputs) => EvaluationInputs;
}

/** Names of several projects have new targets, and templates have new bodies. */
export interface ScopedNamesChange {
  readonly places: readonly ScopedName[];
  readonly templateIds: readonly Uuid[];
}

/** A change that dynamic values may depend on. It is validated inside the write, after the change is stored. */
export type DependencyChange =
  | NamesChange
  /** Other values of the names may have become effective. */
  | ({ readonly kind: 'places' } & ScopedNamesChange)
  /** The body of a template has changed. */
  | { readonly kind: 'template'; readonly templateId: Uuid }
  /** A project depends on another one. `exchanged` contains the projects that it started or stopped inheriting from. */
  | { readonly kind: 'project_moved'; readonly projectId: ProjectId; readonly exchanged: readonly ProjectId[] }
  /**
   * An environment has another parent. `exchanged` contains the environments that it started or stopped inheriting
   * from.
   */
  | {
      readonly kind: 'environment_moved';
      readonly environmentId: EnvironmentId;
      readonly exchanged: readonly EnvironmentId[];
    }
  /** Values have been added in a new location. */
  | { readonly kind: 'new_values'; readonly valueIds: readonly ValueId[] };

/**
 * The form of an error: 400 on a field, 400 as a list, or 409. Clients that delete objects in any order repeat a
 * request after a 409, which succeeds once the dependents are deleted.
 */
export type ErrorShape = { readonly field: string } | 'list' | 'conflict';
