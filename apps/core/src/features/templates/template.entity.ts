import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The columns that are written; the database stamps the rest (see migrations/versioned.ts). */
@Entity('template')
export class TemplateEntity {
  @PrimaryColumn('uuid', { name: 'organization_id' })
  organizationId!: string;

  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'project_id' })
  projectId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  @Column('text')
  body!: string;
}
