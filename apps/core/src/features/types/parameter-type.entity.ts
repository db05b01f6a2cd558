import { Column, Entity } from 'typeorm';
import { OwnedEntity } from '../../platform/postgres/owned-entity.ts';

/** The columns that are written; the database stamps the rest (see migrations/versioned.ts). */
@Entity('parameter_type')
export class ParameterTypeEntity extends OwnedEntity {
  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  /** Null for the built-in types only. */
  @Column('uuid', { name: 'parent_id', nullable: true })
  parentId!: string | null;
}
