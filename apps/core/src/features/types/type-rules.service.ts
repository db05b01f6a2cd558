import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RuleCreate, RulePatch } from '@strata/contract';
import { baseOf, Failure, type Rule, rulesOfChain, subtree, type Uuid } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { refuseOn } from '../../platform/database/constraints.ts';
import { Work, type WriteContext, type Written } from '../../platform/database/work.ts';
import type { Precondition } from '../../platform/http/precondition.ts';
import type { ParameterTypeEntity } from './parameter-type.entity.ts';
import { demandLegal, demandSound, secondOfItsKind } from './rule-checks.ts';
import { StoredValues } from './stored-values.ts';
import { allTypes } from './type-lookup.ts';
import { TypeRuleEntity } from './type-rule.entity.ts';
import { findType, refuseBuiltIn } from './types.service.ts';

/** Which rule of which type somebody means. */
export interface TypeRuleKey {
  readonly typeId: Uuid;
  readonly id: Uuid;
}

const refusals = (rule: Rule, type: ParameterTypeEntity) => ({
  parameter_type_rule_kind_taken: () => secondOfItsKind(rule.kind, `type ${type.name}`),
});

@Injectable()
export class TypeRulesService {
  constructor(
    private readonly work: Work,
    private readonly stored: StoredValues,
  ) {}

  create(caller: Caller, typeId: Uuid, wish: RuleCreate): Promise<Written<Uuid>> {
    return this.work.write(caller, async (context) => {
      const { em } = context;
      const type = await findType(em, caller, typeId);
      const rule = { kind: wish.type, constraint: wish.constraint };
      await this.demandFit(em, caller, type, rule, null);
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
      await this.demandFit(em, caller, type, changed, found);
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

  /** E50, syntax, E51b, E52, E53, and last what is stored: all values of parameters of this type and those below it. */
  private async demandFit(
    em: EntityManager,
    caller: Caller,
    type: ParameterTypeEntity,
    rule: Rule,
    replaced: TypeRuleEntity | null,
  ): Promise<void> {
    const { organizationId, id, name, parentId } = type;
    const types = await allTypes(em, organizationId);
    const base = baseOf(types, id);
    demandLegal([rule.kind], { base, typeName: name });
    refuseBuiltIn(type);
    demandSound(rule, {
      title: `type ${name}`,
      typeName: name,
      base,
      siblings: types.get(id)?.rules.filter(({ kind }) => kind !== replaced?.kind) ?? [],
      ofAncestors: parentId === null ? [] : rulesOfChain(types, parentId),
    });
    const measure = { name, base, rules: [{ ...rule, owner: `type ${name}` }] };
    const scope = { typeIds: subtree(types, id) };
    const misfits = await this.stored.misfits(em, caller, scope, () => measure);
    if (misfits.length === 0) return;
    throw Failure.list(
      'existing_values',
      misfits.map(
        ({ message, parameters }) =>
          `Existing values stand against this rule of ${name}: ${parameters}. ${message} Change them first.`,
      ),
    );
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
