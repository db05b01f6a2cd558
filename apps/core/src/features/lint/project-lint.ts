import {
  canExpire,
  type DependentName,
  type EnvironmentId,
  type EnvironmentNode,
  findDependentsAffectedByRemoval,
  findEnvironmentsWithout,
  instantAfter,
  LINT_REASONS,
  type LintKind,
  type LintReason,
  type NamedObject,
  type ProjectId,
  parseDuration,
  type Redundancy,
  unmarkedSecrets,
  unreferencedReason,
  type VisibleParameter,
} from '@strata/domain';
import type { WalkedProject } from '../effective/project-walk.ts';
import type { ParameterRecord, ValueRecord } from '../snapshot/snapshot.ts';
import type { NameUsage } from './lint-dependents.reader.ts';
import {
  CANNOT_BECOME_SECRET,
  CHOOSE_A_TEXT,
  createUnfixable,
  describeSecretIndicator,
  type LintFix,
  listNames,
  MAY_BE_IN_USE,
  ROTATED_AUTOMATICALLY,
  removingParameter,
  removingValue,
  WRITE_ANOTHER_TEXT,
} from './lint-fixes.ts';

type Visible = VisibleParameter<ParameterRecord>;

/** A finding that is not presented yet. */
export interface LintRow {
  readonly kind: LintKind;
  readonly reason: LintReason;
  readonly detail: string;
  readonly parameter: ParameterRecord;
  readonly value: ValueRecord | null;
  readonly environments: readonly NamedObject[];
  readonly fix: LintFix;
}

/** One project, and the other inputs of its findings. */
export interface LintInputs {
  readonly walked: WalkedProject;
  /** The environments that findings may be about, sorted by name. */
  readonly environments: readonly EnvironmentNode[];
  /** The environments without children. */
  readonly leaves: readonly EnvironmentNode[];
  readonly lineageOf: (environmentId: EnvironmentId) => readonly EnvironmentId[];
  /** The redundant values by name. Without such a value, the effective value would be the same. */
  readonly redundant: ReadonlyMap<string, readonly Redundancy<ValueRecord>[]>;
  readonly dependents: ReadonlyMap<string, readonly DependentName<ValueRecord>[]>;
  readonly used: NameUsage;
  /** Returns the name of a project, or null if the caller has no access to it. */
  readonly projectName: (id: ProjectId) => string | null;
  readonly environmentName: (id: EnvironmentId) => string;
  /** The instant of evaluation. Values that expire up to this instant count as expired. */
  readonly expiredBy: string;
}

type Rule = (name: Visible, inputs: LintInputs) => readonly LintRow[];

/** Returns the findings for one visible name, in list order. */
export function listFindings(name: Visible, inputs: LintInputs, kinds: readonly LintKind[]): readonly LintRow[] {
  return kinds.flatMap((kind) => RULES[kind](name, inputs));
}

/** Returns the position of a reason among the findings of one name. */
export function orderOfReason(reason: LintReason): number {
  return LINT_REASONS.indexOf(reason);
}

const isOwn = ({ parameter }: Visible, { walked: { project } }: LintInputs) => parameter.projectId === project.id;

/** Returns the values that the project sets itself, with their environments. Findings refer only to these. */
function ownValues({ parameter }: Visible, { walked: { index }, environments }: LintInputs) {
  const values = index.get(parameter.id);
  return environments.flatMap((environment) => {
    const value = values?.get(environment.id);
    return value ? [{ environment, value }] : [];
  });
}

const redundantOverrides: Rule = (name, inputs) => {
  const { parameter } = name;
  const redundantValues = new Map(
    (inputs.redundant.get(parameter.name) ?? []).map((redundancy) => [redundancy.value.id, redundancy]),
  );
  return ownValues(name, inputs).flatMap(({ environment, value }) => {
    const redundancy = redundantValues.get(value.id);
    if (!redundancy) return [];
    const { parameterId, environmentId } = redundancy.behind;
    const source = inputs.walked.owners.get(parameterId);
    const sourcePrefix =
      source && source.projectId !== parameter.projectId ? `${inputs.projectName(source.projectId)} in ` : '';
    return [
      {
        kind: 'redundant_override',
        reason: 'same_as_inherited',
        detail: `${parameter.name} says in ${environment.name} what it would inherit from ${sourcePrefix}${inputs.environmentName(environmentId)}.`,
        parameter,
        value,
        environments: [environment],
        fix: fixForRedundancy(redundancy, parameter, inputs),
      },
    ];
  });
};

function fixForRedundancy(
  redundancy: Redundancy<ValueRecord>,
  parameter: ParameterRecord,
  { dependents, lineageOf, projectName }: LintInputs,
): LintFix {
  const affectedDependents = findDependentsAffectedByRemoval(
    redundancy,
    dependents.get(parameter.name) ?? [],
    lineageOf,
  ).map(projectName);
  if (affectedDependents.length === 0) return removingValue(parameter.projectId, parameter.id, redundancy.value.id);
  const names = affectedDependents.filter((name) => name !== null).sort();
  const hiddenCount = affectedDependents.length - names.length;
  const inaccessibleProjects = `${hiddenCount === 1 ? 'project' : 'projects'} that you cannot access`;
  return createUnfixable(
    `If you delete it, another value may become effective in ${listNames(names, hiddenCount, inaccessibleProjects)}.`,
  );
}

const missingValues: Rule = ({ parameter, owners }, { walked: { index }, leaves, lineageOf }) => {
  const ids = new Set(
    findEnvironmentsWithout(
      { owners, index },
      leaves.map(({ id }) => id),
      lineageOf,
    ),
  );
  if (ids.size === 0) return [];
  const environments = leaves.filter(({ id }) => ids.has(id));
  const detail = `${parameter.name} has no value in ${listNames(environments.map(({ name }) => name))}.`;
  return [
    { kind: 'missing_value', reason: 'no_value', detail, parameter, value: null, environments, fix: CHOOSE_A_TEXT },
  ];
};

const secretsInClear: Rule = (name, inputs) => {
  const { parameter } = name;
  const values = isOwn(name, inputs) ? ownValues(name, inputs) : [];
  const unmarkedParameters = unmarkedSecrets(
    parameter,
    values.map(({ value }) => value),
  );
  return unmarkedParameters
    .map(({ look, environmentIds }): LintRow => {
      const environments = inputs.environments.filter(({ id }) => environmentIds.includes(id));
      const names = environments.map((environment) => environment.name);
      const detail = describeSecretIndicator(parameter.name, look, names);
      const commonMembers = { parameter, value: null, environments, fix: CANNOT_BECOME_SECRET };
      return { kind: 'clear_secret', reason: look, detail, ...commonMembers };
    })
    .sort((left, right) => orderOfReason(left.reason) - orderOfReason(right.reason));
};

const unreferencedParameters: Rule = (visibleParameter, inputs) => {
  const { parameter, overridden } = visibleParameter;
  const { walked, used } = inputs;
  if (!isOwn(visibleParameter, inputs)) return [];
  const { name, projectId, id } = parameter;
  const reason = unreferencedReason({
    name,
    isSet: (walked.index.get(id)?.size ?? 0) > 0,
    isMentioned: used.isMentioned(name),
    isOverriddenOrOverrides: overridden !== null || used.isDefinedBelow(name),
    mentionsUnexportedNames: used.mentionsUnexportedNames,
  });
  if (reason === null) return [];
  const commonMembers = { kind: 'unreferenced_parameter', reason, parameter, value: null, environments: [] } as const;
  return reason === 'never_set'
    ? [
        {
          ...commonMembers,
          detail: `${name} has no value anywhere, and no text refers to it.`,
          fix: removingParameter(projectId, id),
        },
      ]
    : [
        {
          ...commonMembers,
          detail: `No text says ${name}, as texts here say other names that no variable can have, and exports leave it out.`,
          fix: MAY_BE_IN_USE,
        },
      ];
};

const expiredValues: Rule = (name, inputs) => {
  const { parameter } = name;
  const duration = parameter.expires === null ? null : parseDuration(parameter.expires);
  if (duration === null || !isOwn(name, inputs)) return [];
  return ownValues(name, inputs).flatMap(({ environment, value }) => {
    const expiresAt = instantAfter(value.modified_at, duration);
    if (!canExpire(value) || expiresAt > inputs.expiredBy) return [];
    const detail = `The value of ${parameter.name} in ${environment.name} is older than ${parameter.expires}: it expires at ${expiresAt}.`;
    return [
      {
        kind: 'expired_value',
        reason: 'expired',
        detail,
        parameter,
        value,
        environments: [environment],
        fix: parameter.expiration_action === null ? WRITE_ANOTHER_TEXT : ROTATED_AUTOMATICALLY,
      },
    ];
  });
};

const RULES: Readonly<Record<LintKind, Rule>> = {
  redundant_override: redundantOverrides,
  missing_value: missingValues,
  clear_secret: secretsInClear,
  unreferenced_parameter: unreferencedParameters,
  expired_value: expiredValues,
};
