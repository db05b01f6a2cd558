import { exportName } from './export.ts';
import type { EnvironmentId, ProjectId } from './ids.ts';
import { type ValueIndex, type ValueRow, valueBehind, valuesOfName, valueThatApplies } from './precedence.ts';
import { saysTheSame } from './redundancy.ts';
import type { ParameterRow } from './resolution.ts';
import type { ScopeId } from './scope.ts';
import { SECRET_LOOKS, type SecretLook, secretLookOf } from './secret-looks.ts';
import type { TreeNode } from './tree.ts';

/** What lint finds, in the order in which the findings of one name are told. */
export const LINT_KINDS = [
  'redundant_override',
  'missing_value',
  'clear_secret',
  'unreferenced_parameter',
  'expired_value',
] as const;
export type LintKind = (typeof LINT_KINDS)[number];

/** Why something is found. */
export const LINT_REASONS = [
  'same_as_inherited',
  'no_value',
  ...SECRET_LOOKS,
  'never_set',
  'not_exported',
  'expired',
] as const;
export type LintReason = (typeof LINT_REASONS)[number];

export interface LintedParameter extends ParameterRow {
  readonly secret: boolean;
  /** Its name. */
  readonly type: string;
  /** A duration, or null. */
  readonly expires: string | null;
}

export interface LintedValue extends ValueRow {
  /** Clear text; null when the value is an explicit null or sealed. */
  readonly text: string | null;
  readonly sealed: string | null;
  readonly interpolated: boolean;
}

type Owners = readonly Pick<LintedParameter, 'id' | 'projectId' | 'secret' | 'expires'>[];

/** How one project sees a name. */
export interface NameInProject<V extends LintedValue = LintedValue> {
  /** Nearest first. */
  readonly owners: Owners;
  readonly index: ValueIndex<V>;
  /** The project, then the one it depends on, and so on to the top. */
  readonly projectChain: readonly ProjectId[];
}

/** A value that says what would apply without it. */
export interface Redundancy<V extends LintedValue = LintedValue> {
  readonly value: V;
  /** What would apply. */
  readonly behind: V;
}

/**
 * The values of the nearest owner of a name that say what comes right behind them. Secrets are not compared: that two are equal
 * would tell of both. A parameter that expires gives each value a clock of its own, so that none of them is redundant.
 */
export function redundantValues<V extends LintedValue>(
  name: NameInProject<V>,
  lineageOf: (environmentId: EnvironmentId) => readonly EnvironmentId[],
  isClosed: (scope: ScopeId) => boolean,
): readonly Redundancy<V>[] {
  const { owners, index } = name;
  const [own] = owners;
  if (own === undefined) return [];
  return [...(index.get(own.id)?.values() ?? [])].flatMap((value) => {
    const behind = valueBehind(name, lineageOf(value.environmentId), own.id, isClosed);
    if (behind === null || behind === 'closed') return [];
    return saysTheSame(value, behind, owners) ? [{ value, behind }] : [];
  });
}

/** How a project that depends on the owner of a name sees it. */
export interface Dependent<V extends LintedValue = LintedValue> extends NameInProject<V> {
  readonly projectId: ProjectId;
  /** Whether who asks may look into it, and into all that it reaches the owner through. */
  readonly isOpen: boolean;
}

/**
 * The projects below the owner in which something else may apply if a redundant value were removed, alone or together with others. What
 * a closed project sets or not is not told: it counts as something else wherever it would be asked.
 */
export function wouldChangeIn<V extends LintedValue>(
  { value, behind }: Redundancy<V>,
  dependents: readonly Dependent<V>[],
  lineageOf: (environmentId: EnvironmentId) => readonly EnvironmentId[],
): readonly ProjectId[] {
  // what another project sets in the same environment is asked next by everybody
  if (value.environmentId === behind.environmentId) return [];
  return dependents.flatMap((dependent) => {
    const { projectId, owners, isOpen } = dependent;
    if (!isOpen) return [projectId];
    const next = valueBehind(dependent, lineageOf(value.environmentId), value.parameterId, () => false);
    const isSame = next !== null && next !== 'closed' && saysTheSame(value, next, owners);
    return isSame ? [] : [projectId];
  });
}

/** The environments that nothing is below: programs run there. */
export function leavesOf<E extends TreeNode>(environments: readonly E[]): readonly E[] {
  const parents = new Set(environments.map(({ parentId }) => parentId));
  return environments.filter(({ id }) => !parents.has(id));
}

/** The environments among these in which no value of a name applies, not even an explicit null. */
export function environmentsWithout<V extends LintedValue>(
  { owners, index }: Pick<NameInProject<V>, 'owners' | 'index'>,
  environmentIds: readonly EnvironmentId[],
  lineageOf: (environmentId: EnvironmentId) => readonly EnvironmentId[],
): readonly EnvironmentId[] {
  const values = valuesOfName(owners, index);
  return environmentIds.filter((id) => valueThatApplies(values, lineageOf(id)) === null);
}

/** Why some of the texts of a parameter that is not secret look like secrets, and where they are set. */
export interface ClearSecret {
  readonly look: SecretLook;
  readonly environmentIds: readonly EnvironmentId[];
}

/** For each reason the environments in which such a text is set. */
export function clearSecrets(
  { name, type, secret }: Pick<LintedParameter, 'name' | 'type' | 'secret'>,
  values: readonly LintedValue[],
): readonly ClearSecret[] {
  if (secret) return [];
  const found = new Map<SecretLook, EnvironmentId[]>();
  for (const { text, interpolated, environmentId } of values) {
    const look = text === null ? null : secretLookOf({ name, type, text, interpolated });
    if (look !== null) found.set(look, [...(found.get(look) ?? []), environmentId]);
  }
  return [...found].map(([look, environmentIds]) => ({ look, environmentIds }));
}

/** Why nothing seems to need a parameter. */
export type Unreferenced = 'never_set' | 'not_exported';

/** What is known of the use of a parameter, in its project and in all that depend on it, whoever may see them. */
export interface ParameterUse {
  readonly name: string;
  /** Whether the parameter itself has a value anywhere. */
  readonly isSet: boolean;
  /** Whether a template or a dynamic value says its name there, or goes through all parameters. */
  readonly isMentioned: boolean;
  /** Whether a project above or below has a parameter of the same name: then this one gives it a type, or declares what those set. */
  readonly hasNamesake: boolean;
  /** Whether a text there says some name that exports leave out: then texts are what such names are for. */
  readonly areUnexportedMentioned: boolean;
}

/**
 * Whether a parameter may be left over. Programs read all that a project shows, so that no mention alone says little: it
 * must have no value either, or a name that exports leave out, where other such names are there for texts.
 */
export function unreferencedReason(use: ParameterUse): Unreferenced | null {
  if (use.isMentioned) return null;
  if (!use.isSet) return use.hasNamesake ? null : 'never_set';
  return isLeftOutOfExports(use.name) && use.areUnexportedMentioned ? 'not_exported' : null;
}

/** Whether no variable can be called so. */
export function isLeftOutOfExports(name: string): boolean {
  return exportName(name) === null;
}

/** Whether a parameter's use has to be looked up to know that. */
export function mayBeUnreferenced({ name, isSet }: Pick<ParameterUse, 'name' | 'isSet'>): boolean {
  return !isSet || isLeftOutOfExports(name);
}

/** Whether a value is one that gets old: a text that somebody wrote down. */
export function canExpire({ text, sealed, interpolated }: LintedValue): boolean {
  return !interpolated && (text !== null || sealed !== null);
}
