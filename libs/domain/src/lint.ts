import { exportName } from './export.ts';
import type { EnvironmentId, ProjectId } from './ids.ts';
import {
  effectiveValueOfName,
  nextEffectiveValue,
  type ValueIndex,
  type ValueRow,
  valuesOfName,
} from './precedence.ts';
import { isEquivalent } from './redundancy.ts';
import type { ParameterRow } from './resolution.ts';
import type { ScopeId } from './scope.ts';
import { detectSecretIndicator, SECRET_INDICATORS, type SecretIndicator } from './secret-looks.ts';
import type { TreeNode } from './tree.ts';

/** The kinds of lint findings, in the order in which the findings of one name are reported. */
export const LINT_KINDS = [
  'redundant_override',
  'missing_value',
  'clear_secret',
  'unreferenced_parameter',
  'expired_value',
] as const;
export type LintKind = (typeof LINT_KINDS)[number];

/** The reasons for a finding. */
export const LINT_REASONS = [
  'same_as_inherited',
  'no_value',
  ...SECRET_INDICATORS,
  'never_set',
  'not_exported',
  'expired',
] as const;
export type LintReason = (typeof LINT_REASONS)[number];

interface LintedParameter extends ParameterRow {
  readonly secret: boolean;
  /** The name of the type. */
  readonly type: string;
  /** A duration, or null if values do not expire. */
  readonly expires: string | null;
}

export interface LintedValue extends ValueRow {
  /** The plain text; null if the value is an explicit null or sealed. */
  readonly text: string | null;
  readonly sealed: string | null;
  readonly interpolated: boolean;
}

type Owners = readonly Pick<LintedParameter, 'id' | 'projectId' | 'secret' | 'expires'>[];

/** A name of one project, with its owners. */
interface NameInProject<V extends LintedValue = LintedValue> {
  /** The owners, nearest first. */
  readonly owners: Owners;
  readonly index: ValueIndex<V>;
  /** The project, then the one it depends on, and so on to the top. */
  readonly projectChain: readonly ProjectId[];
}

/** A value that equals the value it overrides. */
export interface Redundancy<V extends LintedValue = LintedValue> {
  readonly value: V;
  /** The value that would be effective instead. */
  readonly behind: V;
}

/**
 * Returns the values of a name's nearest owner that equal the values they override. Secrets are not compared, because
 * equality would reveal information about both. If a parameter expires, each of its values has its own expiry date and
 * none is redundant.
 */
export function findRedundantValues<V extends LintedValue>(
  name: NameInProject<V>,
  lineageOf: (environmentId: EnvironmentId) => readonly EnvironmentId[],
  isClosed: (scope: ScopeId) => boolean,
): readonly Redundancy<V>[] {
  const { owners, index } = name;
  const [ownParameter] = owners;
  if (ownParameter === undefined) return [];
  return [...(index.get(ownParameter.id)?.values() ?? [])].flatMap((value) => {
    const nextWinner = nextEffectiveValue(name, lineageOf(value.environmentId), ownParameter.id, isClosed);
    if (nextWinner === null || nextWinner === 'closed') return [];
    return isEquivalent(value, nextWinner, owners) ? [{ value, behind: nextWinner }] : [];
  });
}

/** A name in a project that depends on its owner. */
export interface DependentName<V extends LintedValue = LintedValue> extends NameInProject<V> {
  readonly projectId: ProjectId;
  /** Whether the caller may read the project and every project between it and the owner. */
  readonly isOpen: boolean;
}

/**
 * Returns the dependent projects whose effective values may change if a redundant value is removed, alone or together
 * with others. A forbidden project always counts as changed where its values could be effective, so that the result
 * does not reveal its values.
 */
export function findDependentsAffectedByRemoval<V extends LintedValue>(
  { value, behind }: Redundancy<V>,
  dependents: readonly DependentName<V>[],
  lineageOf: (environmentId: EnvironmentId) => readonly EnvironmentId[],
): readonly ProjectId[] {
  // If both values are in the same environment, resolution checks the other one next for every project.
  if (value.environmentId === behind.environmentId) return [];
  return dependents.flatMap((dependentProject) => {
    const { projectId, owners, isOpen } = dependentProject;
    if (!isOpen) return [projectId];
    const next = nextEffectiveValue(dependentProject, lineageOf(value.environmentId), value.parameterId, () => false);
    const isSame = next !== null && next !== 'closed' && isEquivalent(value, next, owners);
    return isSame ? [] : [projectId];
  });
}

/** Returns the environments without children, because programs run in them. */
export function listLeaves<E extends TreeNode>(environments: readonly E[]): readonly E[] {
  const parents = new Set(environments.map(({ parentId }) => parentId));
  return environments.filter(({ id }) => !parents.has(id));
}

/** Returns the environments in which a name has no value, not even an explicit null. */
export function findEnvironmentsWithout<V extends LintedValue>(
  { owners, index }: Pick<NameInProject<V>, 'owners' | 'index'>,
  environmentIds: readonly EnvironmentId[],
  lineageOf: (environmentId: EnvironmentId) => readonly EnvironmentId[],
): readonly EnvironmentId[] {
  const values = valuesOfName(owners, index);
  return environmentIds.filter((id) => effectiveValueOfName(values, lineageOf(id)) === null);
}

/** Why some texts of a parameter that is not secret look like secrets, and where they are set. */
interface ClearSecret {
  readonly look: SecretIndicator;
  readonly environmentIds: readonly EnvironmentId[];
}

/** Returns the reasons, each with the environments where such a text is set. */
export function unmarkedSecrets(
  { name, type, secret }: Pick<LintedParameter, 'name' | 'type' | 'secret'>,
  values: readonly LintedValue[],
): readonly ClearSecret[] {
  if (secret) return [];
  const environmentsByLook = new Map<SecretIndicator, EnvironmentId[]>();
  for (const { text, interpolated, environmentId } of values) {
    const indicator = text === null ? null : detectSecretIndicator({ name, type, text, interpolated });
    if (indicator !== null)
      environmentsByLook.set(indicator, [...(environmentsByLook.get(indicator) ?? []), environmentId]);
  }
  return [...environmentsByLook].map(([indicator, environmentIds]) => ({ look: indicator, environmentIds }));
}

/** Why a parameter seems unused. */
type Unreferenced = 'never_set' | 'not_exported';

/**
 * How a parameter is used in its project and in all projects that depend on it, including those that the caller cannot
 * see.
 */
interface ParameterUse {
  readonly name: string;
  /** Whether the parameter itself has a value in any environment. */
  readonly isSet: boolean;
  /** Whether a template or a dynamic value in these projects refers to the name or iterates over all parameters. */
  readonly isMentioned: boolean;
  /**
   * Whether another project of the chain has a parameter of the same name. In that case this parameter gives it a type
   * or declares its name.
   */
  readonly isOverriddenOrOverrides: boolean;
  /**
   * Whether a text in these projects refers to any name that exports leave out, which means that such names are used in
   * texts.
   */
  readonly mentionsUnexportedNames: boolean;
}

/**
 * Returns why a parameter may be unused, or null. Programs read all parameters of a project, so a missing reference
 * alone says little. The parameter must also have no value, or a name that exports leave out in a project whose texts
 * use such names.
 */
export function unreferencedReason(use: ParameterUse): Unreferenced | null {
  if (use.isMentioned) return null;
  if (!use.isSet) return use.isOverriddenOrOverrides ? null : 'never_set';
  return isLeftOutOfExports(use.name) && use.mentionsUnexportedNames ? 'not_exported' : null;
}

/** Returns whether the name is not valid for an environment variable. */
export function isLeftOutOfExports(name: string): boolean {
  return exportName(name) === null;
}

/** Returns whether `unreferencedReason` needs to know how the parameter is used. */
export function mayBeUnreferenced({ name, isSet }: Pick<ParameterUse, 'name' | 'isSet'>): boolean {
  return !isSet || isLeftOutOfExports(name);
}

/** Returns whether a value can become outdated. Only literal texts can. */
export function canExpire({ text, sealed, interpolated }: LintedValue): boolean {
  return !interpolated && (text !== null || sealed !== null);
}
