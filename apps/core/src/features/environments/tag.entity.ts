import { Column, Entity } from 'typeorm';
import { OwnedEntity } from '../../platform/postgres/owned-entity.ts';

/** A tag. Tags are not versioned, because a tag only names an instant. The ledger still records its changes. */
@Entity('tag')
export class TagEntity extends OwnedEntity {
  @Column('uuid', { name: 'environment_id' })
  environmentId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  // Timestamps are text, because the driver would truncate them to milliseconds.
  @Column('text')
  timestamp!: string;

  @Column('boolean')
  immutable!: boolean;

  @Column('text', { name: 'created_at' })
  createdAt!: string;

  @Column('text', { name: 'modified_at' })
  modifiedAt!: string;
}
