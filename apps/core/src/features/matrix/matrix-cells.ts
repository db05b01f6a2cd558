import type { MatrixCell, MatrixEnvironment, MatrixNext } from '@strata/contract';
import {
  type ComparableText,
  type EnvironmentId,
  type EnvironmentNode,
  expiryTime,
  indexById,
  isEquivalent,
  isSameText,
  isSetHere,
  listCellStates,
  MASK,
  type NamedObject,
} from '@strata/domain';
import type { ParameterRecord, ValueRecord } from '../snapshot/snapshot.ts';
import type { EvaluatedText, EvaluationResults } from '../templating/evaluation.ts';
import { secretVersion } from '../templating/input-digests.ts';
import { canSee, type MatrixSide } from './matrix-sides.ts';

const FORBIDDEN_CELL: MatrixCell = { states: ['closed'] };

/** A value, as it applies in one environment. */
interface ValueInEnvironment {
  readonly value: ValueRecord;
  /** The parameter that the value is set on. */
  readonly owner: ParameterRecord;
  /** Null if the text is literal. */
  readonly seen: EvaluatedText | null;
  readonly isSecret: boolean;
}

/** The value that a cell would inherit without its own; null if there is none, `closed` if the caller may not know. */
type NextValue = ValueRecord | 'closed' | null;

/** The cells of one side. A name is identified by its index among the names of that side. */
export class MatrixCells {
  private readonly parameters: ReadonlyMap<string, ParameterRecord>;
  private readonly environments: ReadonlyMap<string, EnvironmentNode>;
  private readonly projects: ReadonlyMap<string, NamedObject>;

  constructor(
    private readonly side: MatrixSide,
    private readonly evaluated: EvaluationResults,
  ) {
    this.parameters = new Map(side.snapshot.parameters.map((parameter) => [parameter.id, parameter]));
    this.environments = indexById(side.snapshot.environments);
    this.projects = indexById(side.projectChain);
  }

  at(name: number, environment: EnvironmentNode): MatrixCell {
    if (!canSee(this.side, environment.id)) return FORBIDDEN_CELL;
    const value = this.side.names.at(name, environment.id);
    const differs = this.differsFromParent(name, environment, value);
    if (value === null) {
      return { states: listCellStates({ value, isSecret: false, isDynamic: false, differs, isRedundant: false }) };
    }
    const shownValue = this.valueIn(value, environment.id);
    const isOwn = this.isOwn(name, value, environment.id);
    const next = isOwn ? this.side.names.withoutOwn(name, environment.id) : undefined;
    const states = listCellStates({
      value: { isOwn, isNull: isNull(value) },
      isSecret: shownValue.isSecret,
      isDynamic: value.interpolated && !isNull(value),
      differs,
      isRedundant: next !== undefined && !shownValue.isSecret && this.isRedundant(name, value, next),
    });
    return {
      states,
      ...this.presentText(shownValue),
      ...this.presentSource(value, environment.id),
      ...this.presentVersion(value, isOwn),
      ...(next !== undefined && { next: this.presentNext(next, environment.id) }),
    };
  }

  /** Returns the effective value of a name in a readable environment for comparison. */
  comparable(name: number, environmentId: EnvironmentId): ComparableText {
    const value = this.side.names.at(name, environmentId);
    return value && this.comparableText(this.valueIn(value, environmentId), environmentId);
  }

  /** Returns whether the project itself sets the value in this environment. */
  isOwn(name: number, value: ValueRecord, environmentId: EnvironmentId): boolean {
    const visible = this.side.names.visible[name];
    return visible !== undefined && isSetHere(value, visible, { projectId: this.side.project.id, environmentId });
  }

  /** Returns whether the parameter that the value is set on is secret. */
  isSecretlySet(value: ValueRecord): boolean {
    return this.findOwner(value).secret;
  }

  private differsFromParent(name: number, { id, parentId }: EnvironmentNode, value: ValueRecord | null): boolean {
    if (parentId === null || !canSee(this.side, parentId)) return false;
    const parentValue = this.side.names.at(name, parentId);
    if (value === parentValue && !value?.interpolated) return false;
    if (value === null || parentValue === null) return true;
    return !isSameText(
      this.comparableText(this.valueIn(value, id), id),
      this.comparableText(this.valueIn(parentValue, parentId), parentId),
    );
  }

  private isRedundant(name: number, value: ValueRecord, next: NextValue): boolean {
    if (next === 'closed' || next === null) return false;
    return isEquivalent(value, next, this.side.names.visible[name]?.owners ?? []);
  }

  private presentNext(next: NextValue, environmentId: EnvironmentId): MatrixNext {
    if (next === 'closed') return { state: 'closed' };
    if (next === null) return { state: 'unset' };
    const { text, interpolated } = next;
    const isShown = text !== null && !interpolated && !this.findOwner(next).secret;
    return {
      state: isNull(next) ? 'null' : 'set',
      ...(isShown && { text }),
      ...this.presentSource(next, environmentId),
    };
  }

  private presentText({
    value,
    owner,
    seen,
    isSecret,
  }: ValueInEnvironment): Pick<MatrixCell, 'text' | 'raw' | 'problem'> {
    if (isNull(value)) return { text: null };
    const raw = value.interpolated && !owner.secret && value.text !== null ? { raw: value.text } : {};
    if (isSecret) return { text: MASK, ...raw };
    if (seen === null) return { text: value.text };
    return seen.problem === null ? { text: seen.text, ...raw } : { ...raw, problem: seen.problem.message };
  }

  private presentSource(value: ValueRecord, environmentId: EnvironmentId) {
    const { projectId } = this.findOwner(value);
    return {
      ...(value.environmentId !== environmentId && {
        environment_name: this.environments.get(value.environmentId)?.name ?? '',
      }),
      ...(projectId !== this.side.project.id && { project_name: this.projects.get(projectId)?.name ?? '' }),
    };
  }

  private presentVersion(value: ValueRecord, isOwn: boolean) {
    const expiresAt = expiryTime(this.findOwner(value).expires, value.modified_at);
    return {
      ...(isOwn && { value_id: value.id, ledger_id: value.ledger_id }),
      ...(expiresAt !== null && { expires_at: expiresAt }),
    };
  }

  private comparableText({ value, seen, isSecret }: ValueInEnvironment, environmentId: EnvironmentId): ComparableText {
    if (isNull(value)) return { kind: 'open', text: null };
    if (seen !== null && (isSecret || seen.problem !== null)) {
      return { kind: 'hidden', madeOf: this.evaluated.inputDigest({ sourceId: value.id, environmentId }) };
    }
    if (isSecret) return { kind: 'hidden', madeOf: secretVersion(value) };
    return { kind: 'open', text: seen === null ? value.text : seen.text };
  }

  /**
   * Returns the value as it applies in the environment. It is also secret if the parameter that it was set on is
   * secret, even if another parameter overrides that one.
   */
  private valueIn(value: ValueRecord, environmentId: EnvironmentId): ValueInEnvironment {
    const owner = this.findOwner(value);
    const seen = value.interpolated ? this.evaluated.evaluatedText({ sourceId: value.id, environmentId }) : null;
    return { value, owner, seen, isSecret: owner.secret || (seen?.secret ?? false) };
  }

  private findOwner({ parameterId }: ValueRecord): ParameterRecord {
    const owner = this.parameters.get(parameterId);
    if (!owner) throw new Error(`Nothing is known of parameter ${parameterId}.`);
    return owner;
  }
}

function isNull({ text, sealed }: ValueRecord): boolean {
  return text === null && sealed === null;
}

/** Presents the header of a column. */
export function presentColumn(
  side: Pick<MatrixSide, 'permissions'>,
  { id, name, parentId }: EnvironmentNode,
): MatrixEnvironment {
  return { id, name, parent_id: parentId, closed: !canSee(side, id) };
}

/** Presents a name without its values. */
export function presentName({ names, projectChain }: MatrixSide, name: number) {
  const parameter = names.visible[name]?.parameter;
  if (!parameter) throw new Error(`There is no name ${name}.`);
  return {
    name: parameter.name,
    parameter_id: parameter.id,
    project_id: parameter.projectId,
    project_name: projectChain.find(({ id }) => id === parameter.projectId)?.name ?? '',
    type: parameter.type,
    description: parameter.description,
    secret: parameter.secret,
    expires: parameter.expires,
  };
}
