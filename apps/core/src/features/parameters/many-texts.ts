import { Injectable } from '@nestjs/common';
import { type OrganizationId, type ParameterId, type Rule, type Violation, valueTypeOf } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { TextCheck } from '../types/text-check.ts';
import { allTypes } from '../types/type-lookup.ts';

/** A text for a parameter, which may be there or not yet. */
export interface CandidateText {
  readonly text: string;
  /** The parameter's name; messages name it. */
  readonly name: string;
  /** The name of its type. */
  readonly type: string;
  /** Whose own rules count too. */
  readonly parameterId: ParameterId | null;
}

interface RuleRow extends Rule {
  readonly parameterId: ParameterId;
}

/** Judges texts of many parameters against types and rules: two statements, whatever their number. */
@Injectable()
export class ManyTexts {
  constructor(private readonly check: TextCheck) {}

  /** What is wrong with each of them, in their order. */
  async violations(
    em: EntityManager,
    organizationId: OrganizationId,
    texts: readonly CandidateText[],
  ): Promise<readonly (readonly Violation[])[]> {
    if (texts.length === 0) return [];
    const types = await allTypes(em, organizationId);
    const idsByName = new Map([...types.values()].map(({ id, name }) => [name, id]));
    const rules = await em.query<RuleRow[]>(
      `select parameter_id as "parameterId", kind, constraint_text as "constraint" from parameter_rule
        where organization_id = $1 and parameter_id = any($2::uuid[]) order by kind`,
      [organizationId, texts.flatMap(({ parameterId }) => parameterId ?? [])],
    );
    const own = Map.groupBy(rules, ({ parameterId }) => parameterId);
    return this.check.violations(
      texts.map(({ text, name, type, parameterId }) => ({
        text,
        type: valueTypeOf(types, idsByName.get(type) ?? '', {
          name,
          rules: parameterId === null ? [] : (own.get(parameterId) ?? []),
        }),
      })),
    );
  }
}
