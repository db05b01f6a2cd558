import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The columns that are written; the database stamps the rest (see migrations/versioned.ts). */
@Entity('project')
export class ProjectEntity {
  @PrimaryColumn('uuid', { name: 'organization_id' })
  organizationId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  @Column('text', { name: 'parameter_name_pattern' })
  parameterNamePattern!: string;

  @Column('uuid', { name: 'depends_on_id', nullable: true })
  dependsOnId!: string | null;
}
