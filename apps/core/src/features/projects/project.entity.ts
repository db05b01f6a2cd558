import { Column, Entity } from 'typeorm';
import { OwnedEntity } from '../../platform/postgres/owned-entity.ts';

/** The columns that are written; the database stamps the rest (see migrations/versioned.ts). */
@Entity('project')
export class ProjectEntity extends OwnedEntity {
  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  @Column('text', { name: 'parameter_name_pattern' })
  parameterNamePattern!: string;

  @Column('uuid', { name: 'depends_on_id', nullable: true })
  dependsOnId!: string | null;
}
