import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The columns that are written; the database stamps the rest (see migrations/versioned.ts). */
@Entity('parameter_type')
export class ParameterTypeEntity {
  @PrimaryColumn('uuid', { name: 'organization_id' })
  organizationId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  /** Null for the built-in types only. */
  @Column('uuid', { name: 'parent_id', nullable: true })
  parentId!: string | null;
}
