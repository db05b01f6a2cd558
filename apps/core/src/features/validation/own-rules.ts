import { Failure, findBaseType, type OrganizationId, type ParameterId, type Rule } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { assertValidRule } from './rule-checks.ts';
import type { TypedParameter } from './validation-inputs.ts';
import { readAllTypes } from './value-types.ts';

/** A stored rule and its parameter. */
export interface OwnRule {
  readonly parameter: TypedParameter;
  readonly rule: Rule;
}

interface StoredRule extends Rule {
  readonly parameterId: ParameterId;
}

/**
 * Returns one error per rule, in the given order, or null for a valid rule. Does not validate values. Runs two
 * statements, however many rules there are.
 */
export async function problemsOfRules(
  em: EntityManager,
  organizationId: OrganizationId,
  rules: readonly OwnRule[],
): Promise<readonly (Failure | null)[]> {
  if (rules.length === 0) return [];
  const types = await readAllTypes(em, organizationId);
  const storedRules = await em.query<StoredRule[]>(
    `select parameter_id as "parameterId", kind, constraint_text as "constraint" from parameter_rule
      where organization_id = $1 and parameter_id = any($2::uuid[])`,
    [organizationId, rules.map(({ parameter }) => parameter.id)],
  );
  const rulesByParameter = Map.groupBy(storedRules, ({ parameterId }) => parameterId);
  return rules.map(({ parameter: { id, name, typeId }, rule }) => {
    const siblings = (rulesByParameter.get(id) ?? []).filter(({ kind }) => kind !== rule.kind);
    const typeName = types.get(typeId)?.name ?? '';
    try {
      assertValidRule(rule, {
        title: `parameter ${name}`,
        typeName,
        base: findBaseType(types, typeId),
        siblings,
        ofAncestors: [],
      });
      return null;
    } catch (error) {
      if (error instanceof Failure) return error;
      throw error;
    }
  });
}
