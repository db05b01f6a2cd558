import { Column, Entity } from 'typeorm';
import { OwnedEntity } from '../../platform/postgres/owned-entity.ts';

/** The columns that are written; the database stamps the rest (see migrations/versioned.ts). */
@Entity('template')
export class TemplateEntity extends OwnedEntity {
  @Column('uuid', { name: 'project_id' })
  projectId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  @Column('text')
  body!: string;
}
