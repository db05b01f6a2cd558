import { Injectable } from '@nestjs/common';
import { asSentence, Failure, type RevertibleType, type Rule } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Writer } from '../../platform/ledger/command.ts';
import { mayValidateSecret } from '../../platform/ledger/plan-recorder.ts';
import type { AssertTime } from '../changesets/time-limits.ts';
import {
  assertParameterNames,
  assertProjectNames,
  findLookAlikeOfRestored,
  NAMED_OBJECTS,
  similarNameError,
} from '../validation/names.ts';
import type { TypedParameter, TypingChange } from '../validation/validation-inputs.ts';
import { Validator } from '../validation/validator.ts';
import { RevertDependents } from './revert-dependents.ts';
import { RevertReferences } from './revert-references.ts';
import type { RevertWrites } from './revert-writer.ts';
import type { RevertRow } from './reverted-rows.ts';
import {
  collectError,
  listWrittenObjects,
  type ObjectErrors,
  readWrittenParameters,
  type WrittenObject,
  type WrittenRevert,
} from './written-objects.ts';

/**
 * Checks the result of a revert against the names, references, types and rules that apply after it, as single writes
 * do.
 */
@Injectable()
export class RevertChecks {
  constructor(
    private readonly validator: Validator,
    private readonly references: RevertReferences,
    private readonly dependents: RevertDependents,
  ) {}

  /** Returns the errors of the first check that fails, by object. Call it after all writes. */
  async findErrors(
    em: EntityManager,
    caller: Writer,
    work: RevertWrites,
    assertTime: AssertTime,
  ): Promise<ObjectErrors> {
    const writtenRows = listWrittenObjects(work);
    const parameters = await readWrittenParameters(em, caller.organizationId, writtenRows);
    const context = { em, caller, work, written: writtenRows, parameters, assertTime };
    const errors: ObjectErrors = new Map();
    const checks: readonly ((context: WrittenRevert, errors: ObjectErrors) => Promise<void>)[] = [
      (...args) => this.names(...args),
      (...args) => this.lookAlikes(...args),
      (...args) => this.references.texts(...args),
      (...args) => this.references.lookups(...args),
      (...args) => this.types(...args),
      (...args) => this.literals(...args),
      (...args) => this.dependents.dependents(...args),
      (...args) => this.references.loops(...args),
    ];
    for (const check of checks) {
      assertTime();
      await check(context, errors);
      if (errors.size > 0) break;
    }
    return errors;
  }

  private async names({ em, caller, written }: WrittenRevert, errors: ObjectErrors): Promise<void> {
    const renamedRows = written.filter(({ row, old }) => row?.name !== undefined && row.name !== old?.name);
    for (const { id, type, row } of renamedRows) {
      if (type === 'Project') {
        await collectError(errors, [id], () => assertProjectNames(em, caller.organizationId, [row?.name ?? '']));
      }
    }
    const parameters = Map.groupBy(
      renamedRows.filter(({ type }) => type === 'Parameter'),
      ({ row }) => row?.project_id ?? '',
    );
    for (const [projectId, projectParameters] of parameters) {
      const [project] = await em.query<{ name: string; pattern: string }[]>(
        'select name, parameter_name_pattern as pattern from project where organization_id = $1 and id = $2',
        [caller.organizationId, projectId],
      );
      if (!project) continue;
      const names = projectParameters.map(({ row }) => row?.name ?? '');
      const nameErrors = await collectError(new Map(), [], () => assertParameterNames(project, names));
      for (const { id, row } of nameErrors ? [] : projectParameters) {
        await collectError(errors, [id], () => assertParameterNames(project, [row?.name ?? '']));
      }
    }
  }

  /**
   * Rejects restored names that look like a current name. They do not have to follow the current naming rules, because
   * they were valid earlier.
   */
  private async lookAlikes({ em, caller, written }: WrittenRevert, errors: ObjectErrors): Promise<void> {
    const { organizationId } = caller;
    const nameProblems = written.flatMap(({ id, type, row, old }) => {
      const noun = NAMED_OBJECTS[type];
      return noun && row?.name !== undefined && row.name !== old?.name
        ? [{ id, noun, name: row.name, projectId: row.project_id }]
        : [];
    });
    const scopes = Map.groupBy(nameProblems, ({ noun, projectId = '' }) => `${noun} ${projectId}`);
    for (const scopeNames of scopes.values()) {
      const [first] = scopeNames;
      if (!first) continue;
      const { noun, projectId } = first;
      const scope = { noun, organizationId, ...(projectId && { columns: { project_id: projectId } }) };
      const names = scopeNames.map(({ name }) => name);
      const lookAlikes = await findLookAlikeOfRestored(em, scope, names);
      for (const { id, name } of scopeNames)
        if (lookAlikes?.name === name) errors.set(id, similarNameError(noun, lookAlikes));
    }
  }

  /** Validates the written types and rules, both as such and against the stored values. */
  private async types(
    { em, caller, written, parameters, work, assertTime }: WrittenRevert,
    errors: ObjectErrors,
  ): Promise<void> {
    const { organizationId } = caller;
    const revivedIds = new Set(work.plan.revivals.map(({ id }) => id));
    const parameterId = ({ type, id, row }: WrittenObject) => (type === 'Parameter' ? id : row?.parameter_id);
    const alongside: { readonly id: string; readonly parameter: TypedParameter; readonly rule: Rule }[] = [];
    for (const object of written) {
      assertTime();
      const { type, id, row, old } = object;
      const parameterRow = parameters.get(parameterId(object) ?? '');
      const parameter = parameterRow && {
        organizationId,
        id: parameterRow.id,
        name: parameterRow.name,
        typeId: parameterRow.type_id,
      };
      const rule = row && parseRule(row);
      // The values of a restored parameter are validated later, together with the other texts.
      if (type === 'ParameterRule' && rule && parameter && revivedIds.has(parameter.id))
        alongside.push({ id, parameter, rule });
      else {
        const change = row ? typingChange(type, id, row, old, parameter) : null;
        const { planRecorder } = caller;
        const skippedValidations = planRecorder.skippedValidations;
        const isFitting =
          !change || (await collectError(errors, [id], () => this.validator.validateStored(em, caller, change)));
        if (!isFitting && planRecorder.skippedValidations !== skippedValidations) planRecorder.rejectBeyondPlan();
      }
    }
    const failures = await this.validator.unsoundRules(em, organizationId, alongside);
    for (const [index, failure] of failures.entries()) if (failure) errors.set(alongside[index]?.id ?? '', failure);
  }

  private async literals(
    { em, caller, written, parameters, work }: WrittenRevert,
    errors: ObjectErrors,
  ): Promise<void> {
    const values = written.filter(({ type, row }) => type === 'Value' && row && !row.interpolated);
    const { planRecorder } = caller;
    const texts = values.flatMap(({ id, row }) => {
      const parameter = parameters.get(row?.parameter_id ?? '');
      if (row?.sealed && !mayValidateSecret(planRecorder, parameter)) return [];
      const text = row ? work.textOf(row) : null;
      return parameter && text !== null
        ? [{ id, text, name: parameter.name, type: parameter.type, parameterId: parameter.id, isSecret: !!row?.sealed }]
        : [];
    });
    const violations = await this.validator.findViolations(em, caller.organizationId, texts);
    for (const [index, { id, isSecret }] of texts.entries()) {
      const [first, ...otherViolations] = violations[index] ?? [];
      if (!first) continue;
      if (isSecret) planRecorder.rejectBeyondPlan();
      const { code } = first;
      // The params of several sentences have the same names.
      const message =
        otherViolations.length === 0
          ? first
          : asSentence([first, ...otherViolations].map((violation) => violation.message).join(' '));
      errors.set(id, Failure.invalid(code, message));
    }
  }
}

const parseRule = ({ kind, constraint_text: constraint = '' }: RevertRow): Rule | null =>
  kind === undefined ? null : { kind, constraint };

/** Returns how a written object changes the validation of values, or null if it does not. */
function typingChange(
  type: RevertibleType,
  id: string,
  row: RevertRow,
  previousRow: RevertRow | undefined,
  parameter: TypedParameter | undefined,
): TypingChange | null {
  const rule = parseRule(row);
  if (type === 'ParameterType')
    return row.parent_id === previousRow?.parent_id ? null : { kind: 'type_parent', typeId: id };
  if (type === 'ParameterTypeRule' && rule) {
    return { kind: 'type_rule', typeId: row.type_id ?? '', rule, replacedKind: rule.kind };
  }
  if (!parameter) return null;
  if (type === 'ParameterRule' && rule) return { kind: 'parameter_rule', parameter, rule, replacedKind: rule.kind };
  return type === 'Parameter' && previousRow && previousRow.type_id !== row.type_id
    ? { kind: 'parameter_type', parameter }
    : null;
}
