import { Column, Entity } from 'typeorm';
import { OwnedEntity } from '../../platform/postgres/owned-entity.ts';

/** Not versioned: a tag is only a name for an instant. What was done to it is in the ledger all the same. */
@Entity('tag')
export class TagEntity extends OwnedEntity {
  @Column('uuid', { name: 'environment_id' })
  environmentId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  // Timestamps as text: the library would cut them to milliseconds.
  @Column('text')
  timestamp!: string;

  @Column('boolean')
  immutable!: boolean;

  @Column('text', { name: 'created_at' })
  createdAt!: string;

  @Column('text', { name: 'modified_at' })
  modifiedAt!: string;
}
