import type { RuleKind } from '@strata/domain';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The columns that are written; the database stamps the rest (see migrations/versioned.ts). */
@Entity('parameter_rule')
export class ParameterRuleEntity {
  @PrimaryColumn('uuid', { name: 'organization_id' })
  organizationId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'parameter_id' })
  parameterId!: string;

  @Column('text')
  kind!: RuleKind;

  @Column('text', { name: 'constraint_text' })
  constraint!: string;
}
