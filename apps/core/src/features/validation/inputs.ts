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

/** A parameter with its type, as it is or as it is about to be. */
export interface TypedParameter {
  readonly organizationId: OrganizationId;
  readonly id: ParameterId;
  readonly name: string;
  readonly typeId: Uuid;
}

/** A literal text for a parameter, which may exist or not yet. */
export interface ParameterText {
  readonly text: string;
  /** The parameter's name; messages name it. */
  readonly name: string;
  /** The name of its type. */
  readonly type: string;
  /** The parameter's own rules count too; null for one that does not exist yet. */
  readonly parameterId: ParameterId | null;
}

/** A rule that is added, or changed: then `replacedKind` is the kind that it had before. */
interface NewRule {
  readonly rule: Rule;
  readonly replacedKind: RuleKind | null;
}

/** A change of types or rules, which rules and values that are stored must fit. */
export type TypingChange =
  /** Asked before it is written: `parameter` has its new type. */
  | { readonly kind: 'parameter_type'; readonly parameter: TypedParameter }
  /** Asked before it is written. */
  | ({ readonly kind: 'parameter_rule'; readonly parameter: TypedParameter } & NewRule)
  /** Asked before it is written. */
  | ({ readonly kind: 'type_rule'; readonly typeId: Uuid } & NewRule)
  /** Asked once the type has its new parent. */
  | { readonly kind: 'type_parent'; readonly typeId: Uuid };

/** What names of parameters stand for may have changed, as a project and those that depend on it look them up. */
export interface NamesChange {
  readonly kind: 'names';
  readonly projectId: ProjectId;
  readonly names: readonly string[];
  /** Only there and below; absent: everywhere. */
  readonly environmentId?: EnvironmentId;
  /** Something was taken away: dynamic values of these names may have come into effect. */
  readonly uncovers?: boolean;
  /** Of a write that is only previewed: what it would make of what is stored. */
  readonly after?: (inputs: EvaluationInputs) => EvaluationInputs;
}

/** Names of several projects stand for something else now, and templates say something else. */
export interface ScopedNamesChange {
  readonly places: readonly ScopedName[];
  readonly templateIds: readonly Uuid[];
}

/** A change that dynamic values may depend on. Asked inside the write, once it is written. */
export type DependencyChange =
  | NamesChange
  /** Values may have come into effect, too. */
  | ({ readonly kind: 'places' } & ScopedNamesChange)
  /** The body of a template. */
  | { readonly kind: 'template'; readonly templateId: Uuid }
  /** A project depends on another one; `exchanged` are the projects whose parameters are seen only before or only since. */
  | { readonly kind: 'project_moved'; readonly projectId: ProjectId; readonly exchanged: readonly ProjectId[] }
  /** An environment has another parent; `exchanged` are those that are inherited from only before or only since. */
  | {
      readonly kind: 'environment_moved';
      readonly environmentId: EnvironmentId;
      readonly exchanged: readonly EnvironmentId[];
    }
  /** Values that are new where they are. */
  | { readonly kind: 'new_values'; readonly valueIds: readonly ValueId[] };

/**
 * The shape of a refusal: 400 on a field, 400 as a bare list, or 409. Programs that take things away in any order repeat a
 * 409, and succeed when the dependents have gone.
 */
export type RefusalShape = { readonly field: string } | 'list' | 'conflict';
