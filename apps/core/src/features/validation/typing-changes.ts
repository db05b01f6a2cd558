import {
  assertNotBuiltIn,
  buildValueType,
  Failure,
  findBaseType,
  listSubtree,
  type OrganizationId,
  type ParamName,
  type Rule,
  rulesOfChain,
  type Sentence,
  sentence,
  type Uuid,
  type ValueType,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { assertLegal, assertValidRule, type RuleOwner } from './rule-checks.ts';
import type { ParameterScope, StoredParameter, StoredViolation } from './stored-values.ts';
import type { TypedParameter, TypingChange } from './validation-inputs.ts';
import { loadTypeChain, readAllTypes, type TypesById } from './value-types.ts';

/** How to validate the stored values after a change of types or rules. */
export interface StoredCheck {
  /** The parameters to validate. */
  readonly scope: ParameterScope;
  /**
   * Returns the type and the rules that the values of a parameter must satisfy. Throws if the parameter's own rules are
   * not allowed for the type.
   */
  readonly resolveType: (parameter: StoredParameter) => ValueType;
  readonly createError: (violations: readonly StoredViolation[]) => Failure;
}

type ChangeOf<Kind extends TypingChange['kind']> = Extract<TypingChange, { readonly kind: Kind }>;

/** Validates the change itself, and returns how to validate the stored values. */
export function createStoredCheck(
  em: EntityManager,
  organizationId: OrganizationId,
  change: TypingChange,
): Promise<StoredCheck> {
  switch (change.kind) {
    case 'parameter_type':
      return ofParameterType(em, change.parameter);
    case 'parameter_rule':
      return ofParameterRule(em, change);
    case 'type_rule':
      return ofTypeRule(em, organizationId, change);
    case 'type_parent':
      return ofTypeParent(em, organizationId, change.typeId);
  }
}

/** Validates a new type of a parameter: the parameter's own rules must be allowed for it (E50). */
async function ofParameterType(em: EntityManager, parameter: TypedParameter): Promise<StoredCheck> {
  const { id, name, typeId } = parameter;
  const { types, ownRules: rules } = await loadTypeChain(em, parameter);
  assertLegal(rules, { base: findBaseType(types, typeId), typeName: nameOf(types, typeId) });
  const type = buildValueType(types, typeId, { name, rules });
  return {
    scope: { parameterId: id },
    resolveType: () => type,
    createError: (violations) =>
      Failure.fields(
        'type_violation',
        violations.map((violation) => ({ field: 'type', ...sentence`An existing value does not fit. ${violation}` })),
      ),
  };
}

/**
 * Validates a rule of a parameter in this order: E50, syntax, E51b, E52, and finally the stored values of the parameter
 * in all environments (E51).
 */
async function ofParameterRule(
  em: EntityManager,
  { parameter, rule, replacedKind }: ChangeOf<'parameter_rule'>,
): Promise<StoredCheck> {
  const { id, name, typeId } = parameter;
  const { types, ownRules } = await loadTypeChain(em, parameter);
  const owner = { title: `parameter ${name}`, typeName: nameOf(types, typeId), base: findBaseType(types, typeId) };
  const siblings = ownRules.filter(({ kind }) => kind !== replacedKind);
  assertValidRule(rule, { ...owner, siblings, ofAncestors: [] });
  const type = typeWithOnly(rule, owner);
  return {
    scope: { parameterId: id },
    resolveType: () => type,
    createError: createListError(
      (violation) => sentence`Existing values of ${{ name }} stand against this rule. ${violation}`,
    ),
  };
}

/**
 * Validates a rule of a type in this order: E50, syntax, E51b, E52, E53, and finally all stored values of parameters
 * with this type or a descendant of it.
 */
async function ofTypeRule(
  em: EntityManager,
  organizationId: OrganizationId,
  { typeId, rule, replacedKind }: ChangeOf<'type_rule'>,
): Promise<StoredCheck> {
  const types = await readAllTypes(em, organizationId);
  const { name, parentId, rules } = requireType(types, typeId);
  const owner = { title: `type ${name}`, typeName: name, base: findBaseType(types, typeId) };
  assertLegal([rule], owner);
  assertNotBuiltIn({ name, parentId });
  assertValidRule(rule, {
    ...owner,
    siblings: rules.filter(({ kind }) => kind !== replacedKind),
    ofAncestors: parentId === null ? [] : rulesOfChain(types, parentId),
  });
  const type = typeWithOnly(rule, owner);
  return {
    scope: { typeIds: listSubtree(types, typeId) },
    resolveType: () => type,
    createError: createListError(
      (violation) =>
        sentence`Existing values stand against this rule of ${{ name }}: ${violation.parameters}. ${violation}`,
    ),
  };
}

/** Validates a new parent of a type: the rules and values of the type and its descendants must be valid under it. */
async function ofTypeParent(em: EntityManager, organizationId: OrganizationId, id: Uuid): Promise<StoredCheck> {
  const types = await readAllTypes(em, organizationId);
  const base = findBaseType(types, id);
  const typeIds = listSubtree(types, id);
  for (const typeId of typeIds) {
    const { name, rules } = requireType(types, typeId);
    assertLegal(rules, { base, typeName: name });
  }
  return {
    scope: { typeIds },
    resolveType: (parameter) => {
      assertLegal(parameter.rules, { base, typeName: nameOf(types, parameter.typeId) });
      return buildValueType(types, parameter.typeId, parameter);
    },
    createError: createListError(
      (violation) =>
        sentence`Existing values would not fit ${{ name: nameOf(types, id) }}: ${violation.parameters}. ${violation}`,
    ),
  };
}

type NamedOwner = Pick<RuleOwner, 'title' | 'typeName' | 'base'>;

/** Returns a type with this rule only. The stored values already satisfy all other rules. */
function typeWithOnly(rule: Rule, { title, typeName, base }: NamedOwner): ValueType {
  return { name: typeName, base, rules: [{ ...rule, owner: title }] };
}

const createListError =
  (describe: (violation: StoredViolation) => Sentence<ParamName<'existing_values'>>) =>
  (violations: readonly StoredViolation[]): Failure =>
    Failure.list(
      'existing_values',
      violations.map((violation) => sentence`${describe(violation)} Change them first.`),
    );

function requireType(types: TypesById, id: Uuid) {
  const type = types.get(id);
  if (!type) throw new Error(`Type ${id} is not among the types of its organization.`);
  return type;
}

const nameOf = (types: TypesById, id: Uuid) => types.get(id)?.name ?? '';
