import { Injectable } from '@nestjs/common';
import type { TextValidationResult } from '@strata/contract';
import {
  buildValueType,
  Failure,
  findDependents,
  type OrganizationId,
  type ParamName,
  type Rule,
  type ScopedName,
  type Sentence,
  sentence,
  type Uuid,
  type ValueId,
  type ValueType,
  type Violation,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Writer } from '../../platform/ledger/command.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { References } from '../templating/references.ts';
import { ActiveValues, type ActiveViolation, type DependentProblem } from './active-values.ts';
import { type OwnRule, problemsOfRules } from './own-rules.ts';
import { StoredValues } from './stored-values.ts';
import { TextValidation } from './text-validation.ts';
import { createStoredCheck } from './typing-changes.ts';
import type {
  DependencyChange,
  DynamicParameterText,
  ErrorShape,
  ParameterText,
  ScopedNamesChange,
  TypedParameter,
  TypingChange,
} from './validation-inputs.ts';
import { chainOfType, loadValueTypes } from './value-types.ts';

/** The maximum number of dependents that an error names, so that it stays readable. */
const DEPENDENTS_NAMED_MAX = 10;

/**
 * The errors of the names and templates that cause violations. Each method returns null if its argument causes none.
 */
export interface ErrorTargets {
  forName(name: ScopedName): Failure | null;
  forTemplate(id: Uuid): Failure | null;
}

const NO_ERROR_TARGETS: ErrorTargets = { forName: () => null, forTemplate: () => null };

/** A text that is not stored, and the type and rules to check it against. */
export interface TextToCheck {
  readonly organizationId: OrganizationId;
  readonly typeId: Uuid;
  readonly parameter?: { readonly name: string; readonly rules: readonly Rule[] };
  readonly text: string;
}

/**
 * Validates texts, values and rules. Methods that start with `validate` run inside a write and throw an error of the
 * contract, which rolls the write back. The number of statements does not depend on the number of values, except that
 * stored values are loaded and evaluated in batches of a few hundred. Each call has a time budget for matching
 * patterns.
 */
@Injectable()
export class Validator {
  constructor(
    private readonly texts: TextValidation,
    private readonly storedValues: StoredValues,
    private readonly active: ActiveValues,
    private readonly references: References,
    private readonly snapshotReader: SnapshotReader,
  ) {}

  /**
   * Validates a literal text. Throws 400 on `internal_value` with all violations (E40–E43). Explicit nulls are always
   * valid, so callers do not pass them.
   */
  async validateText(type: ValueType, text: string): Promise<void> {
    const [violations = []] = await this.texts.violations([{ type, text }]);
    assertNoViolation(violations, ({ message, params }) => ({ message, params }));
  }

  /**
   * Returns whether a text is a valid value of a type, or of a parameter with its own rules. Returns violations instead
   * of throwing them, and stores nothing.
   */
  async checkUnsavedText({ organizationId, typeId, parameter, text }: TextToCheck): Promise<TextValidationResult> {
    const types = await chainOfType(this.snapshotReader, organizationId, typeId);
    const [textViolations = []] = await this.texts.violations([
      { type: buildValueType(types, typeId, parameter), text },
    ]);
    const violations = textViolations.map(({ message, rule }) => ({
      message,
      rule: rule?.kind ?? null,
      constraint: rule?.constraint ?? null,
      owner: rule?.owner ?? null,
    }));
    return { fits: violations.length === 0, violations };
  }

  /**
   * Validates literal texts of many parameters. Throws 400 on `internal_value` with all violations, each with the name
   * of its parameter. Runs two statements, however many texts there are.
   */
  async validateTexts(
    em: EntityManager,
    organizationId: OrganizationId,
    texts: readonly ParameterText[],
  ): Promise<void> {
    const violations = await this.findViolations(em, organizationId, texts);
    const violationsByName = texts.flatMap(({ name }, index) =>
      (violations[index] ?? []).map((violation) => ({ ...violation, name })),
    );
    assertNoViolation(violationsByName, (violation) => sentence`${{ name: violation.name }}: ${violation}`);
  }

  /** Returns the violations of each text, in the given order. */
  async findViolations(
    em: EntityManager,
    organizationId: OrganizationId,
    texts: readonly ParameterText[],
  ): Promise<readonly (readonly Violation[])[]> {
    if (texts.length === 0) return [];
    const types = await loadValueTypes(em, organizationId, texts);
    return this.texts.violations(types.map((type, index) => ({ type, text: texts[index]?.text ?? '' })));
  }

  /**
   * Validates a dynamic value after it and its references are stored. Its evaluated text must be valid in every
   * environment where it is effective (behaviour.md §6.2 rule 6). Throws 400 on `internal_value`, or a list if it
   * cannot be evaluated.
   */
  async validateDynamicValue(em: EntityManager, caller: Writer, parameter: TypedParameter, id: ValueId): Promise<void> {
    const violations = await this.active.violations(em, caller, parameter, id);
    assertNoViolation(violations, describeActive);
  }

  /**
   * Validates dynamic values like `validateDynamicValue`, with a fixed number of statements. The field of an error is
   * the name of the parameter.
   */
  async validateDynamicValues(
    em: EntityManager,
    caller: Writer,
    values: readonly DynamicParameterText[],
  ): Promise<void> {
    const violations = await this.active.violationsOfMany(em, caller, values);
    assertNoViolation(violations, describeActive, ({ name }) => name);
  }

  /**
   * Validates a change of types or rules: first the change itself (E50, syntax, E51b, E52, E53), then all affected
   * values (E51). Throws 403 if one of these is in a forbidden scope.
   */
  async validateStored(em: EntityManager, caller: Writer, change: TypingChange): Promise<void> {
    const {
      scope,
      resolveType: typeOfParameter,
      createError,
    } = await createStoredCheck(em, caller.organizationId, change);
    const violations = await this.storedValues.violations(em, caller, scope, typeOfParameter);
    if (violations.length > 0) throw createError(violations);
  }

  /**
   * Returns one error per rule, or null for a valid rule. Does not validate values: the rules are stored together with
   * all values of their parameters.
   */
  unsoundRules(
    em: EntityManager,
    organizationId: OrganizationId,
    rules: readonly OwnRule[],
  ): Promise<readonly (Failure | null)[]> {
    return problemsOfRules(em, organizationId, rules);
  }

  /**
   * Rejects a change after which a dependent dynamic value would violate its type or rules (`dependent_values`, ADR
   * 0016). Reads only the dependents of the change. If there are none, this takes one statement.
   */
  async validateDependents(
    em: EntityManager,
    caller: Writer,
    change: DependencyChange,
    errorShape: ErrorShape,
  ): Promise<void> {
    const problems = await this.active.problemsOfDependents(em, caller, change);
    if (problems.length > 0) throw createDependentsError(problems, errorShape);
  }

  /** Returns one error, by id, for each value that would be invalid in its new location. */
  async findNewValueErrors(
    em: EntityManager,
    caller: Writer,
    valueIds: readonly ValueId[],
    errorShape: ErrorShape,
  ): Promise<ReadonlyMap<ValueId, Failure>> {
    const problems = await this.active.problemsOfDependents(em, caller, { kind: 'new_values', valueIds }, 'each');
    const byValue = Map.groupBy(problems, ({ valueId }) => valueId);
    return new Map(
      [...byValue].map(([id, valueViolations]) => [id, createDependentsError(valueViolations, errorShape)]),
    );
  }

  /**
   * Finds the names and templates whose changes cause violations in their dependents. Runs one statement for all of
   * them, and another one if there are violations.
   */
  async errorTargets(
    em: EntityManager,
    caller: Writer,
    change: ScopedNamesChange,
    errorShape: ErrorShape,
  ): Promise<ErrorTargets> {
    const problems = await this.active.problemsOfDependents(em, caller, { kind: 'places', ...change }, 'each');
    if (problems.length === 0) return NO_ERROR_TARGETS;
    const byValue = Map.groupBy(problems, ({ valueId }) => valueId);
    const valueIds = [...byValue.keys()];
    const needs = await this.references.loadNeeds(em, caller.organizationId, valueIds);
    const dependents = findDependents(valueIds, needs, DEPENDENTS_NAMED_MAX);
    const createError = (ids: readonly ValueId[]) =>
      ids.length === 0
        ? null
        : createDependentsError(
            ids.flatMap((id) => byValue.get(id) ?? []),
            errorShape,
          );
    return {
      forName: (name) => createError(dependents.ofPlace(name)),
      forTemplate: (id) => createError(dependents.ofText(id)),
    };
  }
}

const describeActive = (violation: ActiveViolation): Sentence =>
  sentence`In ${{ environment: violation.environment }}: ${violation}`;

/** Throws 400 on the text of a value. The first violation determines the code. */
function assertNoViolation<Found extends Violation>(
  violations: readonly Found[],
  describe: (violation: Found) => Sentence,
  fieldOf: (violation: Found) => string = () => 'internal_value',
): void {
  const [first] = violations;
  if (!first) return;
  throw Failure.fields(
    first.code,
    violations.map((violation) => ({
      field: fieldOf(violation),
      ...describe(violation),
      rule: violation.rule?.kind,
    })),
  );
}

function createDependentsError(problems: readonly DependentProblem[], errorShape: ErrorShape): Failure {
  const unnamedCount = problems.length - DEPENDENTS_NAMED_MAX;
  const namedProblems = problems
    .slice(0, DEPENDENTS_NAMED_MAX)
    .map(({ message, params }): Sentence => ({ message, params }));
  const texts = [...namedProblems, ...(unnamedCount > 0 ? [sentence`And ${{ more: unnamedCount }} more.`] : [])];
  const code = 'dependent_values';
  if (errorShape === 'list') return Failure.list(code, texts as readonly Sentence<ParamName<typeof code>>[]);
  if (errorShape === 'conflict') {
    const [onlyText, ...otherTexts] = texts;
    const message = texts.map((text) => text.message).join(' ');
    // The params of several sentences have the same names.
    const params = otherTexts.length === 0 ? onlyText?.params : unnamedCount > 0 ? { more: unnamedCount } : {};
    return new Failure({ kind: 'conflict', code, message, params });
  }
  return Failure.fields(
    code,
    texts.map((text) => ({ field: errorShape.field, ...text })),
  );
}
