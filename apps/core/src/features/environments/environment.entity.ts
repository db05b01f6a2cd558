import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The columns that are written; the database stamps the rest (see migrations/versioned.ts). */
@Entity('environment')
export class EnvironmentEntity {
  @PrimaryColumn('uuid', { name: 'organization_id' })
  organizationId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  @Column('uuid', { name: 'parent_id', nullable: true })
  parentId!: string | null;
}
