import { Column, Entity } from 'typeorm';
import { OwnedEntity } from '../../platform/postgres/owned-entity.ts';

/** The columns that are written; the database stamps the rest (see migrations/versioned.ts). */
@Entity('environment')
export class EnvironmentEntity extends OwnedEntity {
  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  @Column('uuid', { name: 'parent_id', nullable: true })
  parentId!: string | null;
}
