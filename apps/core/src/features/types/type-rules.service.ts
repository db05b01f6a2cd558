import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RuleCreate, RulePatch } from '@strata/contract';
import { type ChangeAction, duplicateRuleError, Failure, type Rule, type Uuid } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import type { Precondition } from '../../platform/http/request.ts';
import type { Command } from '../../platform/ledger/command.ts';
import { objectChange } from '../../platform/ledger/object-change.ts';
import { translateViolations } from '../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { Validator } from '../validation/validator.ts';
import type { ParameterTypeEntity } from './parameter-type.entity.ts';
import { TypeRuleEntity } from './type-rule.entity.ts';
import { type TypeRuleKey, type TypeRuleRow, TypesReader } from './types.reader.ts';
import { findType } from './types.service.ts';

const constraintErrors = (rule: Rule, type: ParameterTypeEntity) => ({
  parameter_type_rule_kind_taken: () => duplicateRuleError(rule.kind, `type ${type.name}`),
});

@Injectable()
export class TypeRulesService {
  constructor(
    private readonly reader: TypesReader,
    private readonly validator: Validator,
  ) {}

  create(caller: Caller, typeId: Uuid, input: RuleCreate): Command<TypeRuleRow> {
    return {
      operation: 'types_rules_create',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const type = await findType(em, caller, typeId);
        const rule = { kind: input.type, constraint: input.constraint };
        await this.validator.validateStored(em, caller, { kind: 'type_rule', typeId, rule, replacedKind: null });
        const row: TypeRuleEntity = {
          organizationId: caller.organizationId,
          id: randomUUID(),
          typeId,
          kind: rule.kind,
          constraintText: rule.constraint,
        };
        await translateViolations(em.insert(TypeRuleEntity, row), constraintErrors(rule, type));
        context.record(ruleChange('create', row));
        return this.read(em, caller, row);
      },
    };
  }

  change(caller: Caller, key: TypeRuleKey, input: RulePatch, precondition: Precondition): Command<TypeRuleRow> {
    return {
      operation: 'types_rules_update',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        const type = await findType(em, caller, key.typeId);
        const currentRow = await findRule(em, caller, key);
        await precondition(em, caller);
        const changedRow = {
          kind: input.type ?? currentRow.kind,
          constraint: input.constraint ?? currentRow.constraintText,
        };
        if (changedRow.kind === currentRow.kind && changedRow.constraint === currentRow.constraintText)
          return this.read(em, caller, key);
        await this.validator.validateStored(em, caller, {
          kind: 'type_rule',
          typeId: type.id,
          rule: changedRow,
          replacedKind: currentRow.kind,
        });
        const { organizationId, id } = currentRow;
        const { kind, constraint: constraintText } = changedRow;
        const updateStatement = em.update(TypeRuleEntity, { organizationId, id }, { kind, constraintText });
        await translateViolations(updateStatement, constraintErrors(changedRow, type));
        context.record(ruleChange('update', { id, kind }));
        return this.read(em, caller, key);
      },
    };
  }

  /**
   * Deletes a rule. This needs no validation, because a value that satisfies all rules also satisfies fewer of them.
   */
  remove(caller: Caller, key: TypeRuleKey, precondition: Precondition): Command<void> {
    return {
      operation: 'types_rules_destroy',
      caller,
      run: async (context) => {
        const { caller, em } = context;
        await findType(em, caller, key.typeId);
        const currentRow = await findRule(em, caller, key);
        await precondition(em, caller);
        const { organizationId, id } = currentRow;
        await em.delete(TypeRuleEntity, { organizationId, id });
        context.record(ruleChange('delete', currentRow));
      },
    };
  }

  private async read(em: EntityManager, { organizationId }: Caller, { typeId, id }: TypeRuleKey): Promise<TypeRuleRow> {
    return (await this.reader.rule(organizationId, { typeId, id }, 'now', SnapshotReader.within(em))).row;
  }
}

/** Returns the change of a rule under the name of its kind. */
function ruleChange(action: ChangeAction, { id, kind }: Pick<TypeRuleEntity, 'id' | 'kind'>) {
  return objectChange(action, 'ParameterTypeRule', { id, name: kind });
}

async function findRule(
  em: EntityManager,
  { organizationId }: Caller,
  { typeId, id }: TypeRuleKey,
): Promise<TypeRuleEntity> {
  const currentRow = await em.findOneBy(TypeRuleEntity, { organizationId, id, typeId });
  if (!currentRow) throw Failure.notFound('ParameterTypeRule');
  return currentRow;
}
