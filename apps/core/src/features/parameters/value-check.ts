import { Injectable } from '@nestjs/common';
import {
  baseOf,
  Failure,
  type OrganizationId,
  type ParameterId,
  type Uuid,
  type ValueType,
  type Violation,
  valueTypeOf,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { demandLegal } from '../types/rule-checks.ts';
import { StoredValues } from '../types/stored-values.ts';
import { TextCheck } from '../types/text-check.ts';
import { chainOf } from '../types/type-lookup.ts';

/** The parameter whose texts are judged, as it is or as it is about to be. */
export interface JudgedParameter {
  readonly organizationId: OrganizationId;
  readonly id: ParameterId;
  readonly name: string;
  readonly typeId: Uuid;
}

/**
 * The one place that judges texts of a parameter against its type and all its rules. It takes texts and not values: for
 * a literal value its text, for a dynamic one the texts that it has where it is active.
 */
@Injectable()
export class ValueCheck {
  constructor(
    private readonly check: TextCheck,
    private readonly stored: StoredValues,
  ) {}

  /** What the parameter's values are measured by: one statement, however long the chain of types. */
  async typeOf(em: EntityManager, { organizationId, id, name, typeId }: JudgedParameter): Promise<ValueType> {
    const { types, own } = await chainOf(em, organizationId, { typeId, parameterId: id });
    return valueTypeOf(types, typeId, { name, rules: own });
  }

  /** Everything that is wrong with each of the texts (E40–E43). */
  violations(type: ValueType, texts: readonly string[]): Promise<readonly (readonly Violation[])[]> {
    return this.check.violations(texts.map((text) => ({ type, text })));
  }

  /** Throws 400 on `internal_value` with everything that is wrong with the texts that a value has. */
  async demandFit(type: ValueType, texts: readonly string[]): Promise<void> {
    const found = (await this.violations(type, texts)).flat();
    const [first] = found;
    if (!first) return;
    const messages = new Set(found.map(({ message }) => message));
    throw Failure.fields(
      first.code,
      [...messages].map((message) => ({ field: 'internal_value', message })),
    );
  }

  /** Before a parameter gets another type: its own rules must be legal there (E50), and its values must fit. */
  async demandTypeFits(em: EntityManager, caller: Caller, parameter: JudgedParameter): Promise<void> {
    const { organizationId, id, name, typeId } = parameter;
    const { types, own: rules } = await chainOf(em, organizationId, { typeId, parameterId: id });
    demandLegal(
      rules.map(({ kind }) => kind),
      { base: baseOf(types, typeId), typeName: types.get(typeId)?.name ?? '' },
    );
    const type = valueTypeOf(types, typeId, { name, rules });
    const misfits = await this.stored.misfits(em, caller, { parameterId: id }, () => type);
    if (misfits.length === 0) return;
    throw Failure.fields(
      'type_violation',
      misfits.map(({ message }) => ({ field: 'type', message: `An existing value does not fit. ${message}` })),
    );
  }

  /** Before a parameter gets a rule: its values in all environments must satisfy it (E51). */
  async demandRuleFits(
    em: EntityManager,
    caller: Caller,
    { id, name }: JudgedParameter,
    type: ValueType,
  ): Promise<void> {
    const misfits = await this.stored.misfits(em, caller, { parameterId: id }, () => type);
    if (misfits.length === 0) return;
    throw Failure.list(
      'existing_values',
      misfits.map(({ message }) => `Existing values of ${name} stand against this rule. ${message} Change them first.`),
    );
  }
}
