import type { RuleKind } from '@strata/domain';
import { Column, Entity } from 'typeorm';
import { OwnedEntity } from '../../../platform/postgres/owned-entity.ts';

/** The columns that are written; the database stamps the rest (see migrations/versioned.ts). */
@Entity('parameter_rule')
export class ParameterRuleEntity extends OwnedEntity {
  @Column('uuid', { name: 'parameter_id' })
  parameterId!: string;

  @Column('text')
  kind!: RuleKind;

  @Column('text', { name: 'constraint_text' })
  constraint!: string;
}
