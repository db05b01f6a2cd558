import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RuleCreate, RulePatch } from '@strata/contract';
import { duplicateRule, Failure, type Rule, type Uuid } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { refuseOn } from '../../platform/database/constraints.ts';
import { Work, type WriteContext, type Written } from '../../platform/database/work.ts';
import type { Precondition } from '../../platform/http/precondition.ts';
import { Validator } from '../validation/validator.ts';
import type { ParameterTypeEntity } from './parameter-type.entity.ts';
import { TypeRuleEntity } from './type-rule.entity.ts';
import { findType } from './types.service.ts';

/** Which rule of which type somebody means. */
export interface TypeRuleKey {
  readonly typeId: Uuid;
  readonly id: Uuid;
}

const refusals = (rule: Rule, type: ParameterTypeEntity) => ({
  parameter_type_rule_kind_taken: () => duplicateRule(rule.kind, `type ${type.name}`),
});

@Injectable()
export class TypeRulesService {
  constructor(
    private readonly work: Work,
    private readonly validator: Validator,
  ) {}

  create(caller: Caller, typeId: Uuid, wish: RuleCreate): Promise<Written<Uuid>> {
    return this.work.write(caller, async (context) => {
      const { em } = context;
      const type = await findType(em, caller, typeId);
      const rule = { kind: wish.type, constraint: wish.constraint };
      await this.validator.validateStored(em, caller, { kind: 'type_rule', typeId, rule, replacedKind: null });
      const row = { organizationId: caller.organizationId, id: randomUUID(), typeId, ...rule };
      await refuseOn(em.insert(TypeRuleEntity, row), refusals(rule, type));
      record(context, 'create', row);
      return row.id;
    });
  }

  change(caller: Caller, key: TypeRuleKey, wish: RulePatch, precondition: Precondition): Promise<Written<void>> {
    return this.work.write(caller, async (context) => {
      const { em } = context;
      const type = await findType(em, caller, key.typeId);
      const found = await findRule(em, caller, key);
      await precondition(em);
      const changed = { kind: wish.type ?? found.kind, constraint: wish.constraint ?? found.constraint };
      if (changed.kind === found.kind && changed.constraint === found.constraint) return;
      await this.validator.validateStored(em, caller, {
        kind: 'type_rule',
        typeId: type.id,
        rule: changed,
        replacedKind: found.kind,
      });
      const { organizationId, id } = found;
      await refuseOn(em.update(TypeRuleEntity, { organizationId, id }, changed), refusals(changed, type));
      record(context, 'update', { ...found, ...changed });
    });
  }

  /** Never refused: values that fitted before fit with fewer rules, too. */
  remove(caller: Caller, key: TypeRuleKey, precondition: Precondition): Promise<Written<void>> {
    return this.work.write(caller, async (context) => {
      const { em } = context;
      await findType(em, caller, key.typeId);
      const found = await findRule(em, caller, key);
      await precondition(em);
      const { organizationId, id } = found;
      await em.delete(TypeRuleEntity, { organizationId, id });
      record(context, 'delete', found);
    });
  }
}

async function findRule(
  em: EntityManager,
  { organizationId }: Caller,
  { typeId, id }: TypeRuleKey,
): Promise<TypeRuleEntity> {
  const found = await em.findOneBy(TypeRuleEntity, { organizationId, id, typeId });
  if (!found) throw Failure.notFound('ParameterTypeRule');
  return found;
}

function record(
  { record: recordChange }: WriteContext,
  action: 'create' | 'update' | 'delete',
  { id, kind }: Pick<TypeRuleEntity, 'id' | 'kind'>,
): void {
  recordChange({ eventType: null, action, objectType: 'ParameterTypeRule', object: { id, name: kind } });
}
