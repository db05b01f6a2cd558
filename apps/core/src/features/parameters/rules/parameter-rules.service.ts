import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RuleCreate, RulePatch } from '@strata/contract';
import { type ChangeAction, duplicateRuleError, Failure, type Rule, type Uuid } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../../platform/caller.ts';
import type { Precondition } from '../../../platform/http/request.ts';
import type { Command } from '../../../platform/ledger/command.ts';
import { type ChangeScope, objectChange } from '../../../platform/ledger/object-change.ts';
import { translateViolations } from '../../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../../platform/postgres/snapshot-reader.ts';
import { Validator } from '../../validation/validator.ts';
import type { ParameterEntity } from '../parameter.entity.ts';
import type { ParameterRuleRow } from '../parameters.presenter.ts';
import type { ParameterKey } from '../parameters.reader.ts';
import { findParameter, owningProject } from '../parameters.service.ts';
import { ParameterRuleEntity } from './parameter-rule.entity.ts';
import { ParameterRulesReader } from './parameter-rules.reader.ts';

const constraintErrors = (rule: Rule, parameter: ParameterEntity) => ({
  parameter_rule_kind_taken: () => duplicateRuleError(rule.kind, `parameter ${parameter.name}`),
});

@Injectable()
export class ParameterRulesService {
  constructor(
    private readonly reader: ParameterRulesReader,
    private readonly validator: Validator,
  ) {}

  create(caller: Caller, key: ParameterKey, input: RuleCreate): Command<ParameterRuleRow> {
    return {
      operation: 'projects_parameters_rules_create',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const project = await owningProject(em, caller, key.projectId);
        const parameter = await findParameter(em, key);
        const rule = { kind: input.type, constraint: input.constraint };
        await this.validator.validateStored(em, caller, {
          kind: 'parameter_rule',
          parameter,
          rule,
          replacedKind: null,
        });
        const row: ParameterRuleEntity = {
          organizationId: key.organizationId,
          id: randomUUID(),
          parameterId: parameter.id,
          kind: rule.kind,
          constraintText: rule.constraint,
        };
        await translateViolations(em.insert(ParameterRuleEntity, row), constraintErrors(rule, parameter));
        context.record(ruleChange('create', row, { parameter, project }));
        return this.read(em, key, row.id);
      },
    };
  }

  change(
    caller: Caller,
    key: ParameterKey,
    id: Uuid,
    input: RulePatch,
    precondition: Precondition,
  ): Command<ParameterRuleRow> {
    return {
      operation: 'projects_parameters_rules_update',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const project = await owningProject(em, caller, key.projectId);
        const parameter = await findParameter(em, key);
        const currentRow = await findRule(em, parameter, id);
        await precondition(em, caller);
        const changedRow = {
          kind: input.type ?? currentRow.kind,
          constraint: input.constraint ?? currentRow.constraintText,
        };
        if (changedRow.kind === currentRow.kind && changedRow.constraint === currentRow.constraintText)
          return this.read(em, key, id);
        await this.validator.validateStored(em, caller, {
          kind: 'parameter_rule',
          parameter,
          rule: changedRow,
          replacedKind: currentRow.kind,
        });
        const { organizationId } = currentRow;
        const { kind, constraint: constraintText } = changedRow;
        const updateStatement = em.update(ParameterRuleEntity, { organizationId, id }, { kind, constraintText });
        await translateViolations(updateStatement, constraintErrors(changedRow, parameter));
        context.record(ruleChange('update', { id, kind: changedRow.kind }, { parameter, project }));
        return this.read(em, key, id);
      },
    };
  }

  /**
   * Deletes a rule. This needs no validation, because a value that satisfies all rules also satisfies fewer of them.
   */
  remove(caller: Caller, key: ParameterKey, id: Uuid, precondition: Precondition): Command<void> {
    return {
      operation: 'projects_parameters_rules_destroy',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const project = await owningProject(em, caller, key.projectId);
        const parameter = await findParameter(em, key);
        const currentRow = await findRule(em, parameter, id);
        await precondition(em, caller);
        await em.delete(ParameterRuleEntity, { organizationId: key.organizationId, id });
        context.record(ruleChange('delete', currentRow, { parameter, project }));
      },
    };
  }

  private async read(em: EntityManager, key: ParameterKey, id: Uuid): Promise<ParameterRuleRow> {
    return (await this.reader.readOne(key, id, 'now', SnapshotReader.within(em))).row;
  }
}

/**
 * Returns the change of a rule under the name of its kind. The event is an update of the parameter; the audit shows the
 * rule (domain.md §3).
 */
function ruleChange(action: ChangeAction, { id, kind }: Pick<ParameterRuleEntity, 'id' | 'kind'>, scope: ChangeScope) {
  return objectChange(action, 'ParameterRule', { id, name: kind }, scope);
}

async function findRule(
  em: EntityManager,
  { organizationId, id: parameterId }: ParameterEntity,
  id: Uuid,
): Promise<ParameterRuleEntity> {
  const currentRow = await em.findOneBy(ParameterRuleEntity, { organizationId, id, parameterId });
  if (!currentRow) throw Failure.notFound('ParameterRule');
  return currentRow;
}
