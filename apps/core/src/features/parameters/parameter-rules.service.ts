import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { RuleCreate, RulePatch } from '@strata/contract';
import { duplicateRule, Failure, type Named, type Rule, type Uuid } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { refuseOn } from '../../platform/database/constraints.ts';
import { Work, type WriteContext, type Written } from '../../platform/database/work.ts';
import type { Precondition } from '../../platform/http/precondition.ts';
import { Validator } from '../validation/validator.ts';
import type { ParameterEntity } from './parameter.entity.ts';
import { ParameterRuleEntity } from './parameter-rule.entity.ts';
import type { ParameterKey } from './parameters.reader.ts';
import { findParameter, owningProject } from './parameters.service.ts';

const refusals = (rule: Rule, parameter: ParameterEntity) => ({
  parameter_rule_kind_taken: () => duplicateRule(rule.kind, `parameter ${parameter.name}`),
});

@Injectable()
export class ParameterRulesService {
  constructor(
    private readonly work: Work,
    private readonly validator: Validator,
  ) {}

  create(caller: Caller, key: ParameterKey, wish: RuleCreate): Promise<Written<Uuid>> {
    return this.work.write(caller, async (context) => {
      const { em } = context;
      const project = await owningProject(em, caller, key.projectId);
      const parameter = await findParameter(em, key);
      const rule = { kind: wish.type, constraint: wish.constraint };
      await this.validator.validateStored(em, caller, { kind: 'parameter_rule', parameter, rule, replacedKind: null });
      const row = { organizationId: key.organizationId, id: randomUUID(), parameterId: parameter.id, ...rule };
      await refuseOn(em.insert(ParameterRuleEntity, row), refusals(rule, parameter));
      record(context, 'create', row, parameter, project);
      return row.id;
    });
  }

  change(
    caller: Caller,
    key: ParameterKey,
    id: Uuid,
    wish: RulePatch,
    precondition: Precondition,
  ): Promise<Written<void>> {
    return this.work.write(caller, async (context) => {
      const { em } = context;
      const project = await owningProject(em, caller, key.projectId);
      const parameter = await findParameter(em, key);
      const found = await findRule(em, parameter, id);
      await precondition(em);
      const changed = { kind: wish.type ?? found.kind, constraint: wish.constraint ?? found.constraint };
      if (changed.kind === found.kind && changed.constraint === found.constraint) return;
      await this.validator.validateStored(em, caller, {
        kind: 'parameter_rule',
        parameter,
        rule: changed,
        replacedKind: found.kind,
      });
      const { organizationId } = found;
      await refuseOn(em.update(ParameterRuleEntity, { organizationId, id }, changed), refusals(changed, parameter));
      record(context, 'update', { id, kind: changed.kind }, parameter, project);
    });
  }

  /** Never refused: values that fitted before fit with fewer rules, too. */
  remove(caller: Caller, key: ParameterKey, id: Uuid, precondition: Precondition): Promise<Written<void>> {
    return this.work.write(caller, async (context) => {
      const { em } = context;
      const project = await owningProject(em, caller, key.projectId);
      const parameter = await findParameter(em, key);
      const found = await findRule(em, parameter, id);
      await precondition(em);
      await em.delete(ParameterRuleEntity, { organizationId: key.organizationId, id });
      record(context, 'delete', found, parameter, project);
    });
  }
}

async function findRule(
  em: EntityManager,
  { organizationId, id: parameterId }: ParameterEntity,
  id: Uuid,
): Promise<ParameterRuleEntity> {
  const found = await em.findOneBy(ParameterRuleEntity, { organizationId, id, parameterId });
  if (!found) throw Failure.notFound('ParameterRule');
  return found;
}

/** Whoever follows the parameter hears that it was updated; the audit knows the rule (domain.md §3). */
function record(
  { record: recordChange }: WriteContext,
  action: 'create' | 'update' | 'delete',
  { id, kind }: Pick<ParameterRuleEntity, 'id' | 'kind'>,
  parameter: ParameterEntity,
  project: Named,
): void {
  recordChange({
    eventType: 'parameter_updated',
    action,
    objectType: 'ParameterRule',
    object: { id, name: kind },
    project: { id: project.id, name: project.name },
    parameter: { id: parameter.id, name: parameter.name },
  });
}
