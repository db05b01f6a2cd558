import { Column, Entity } from 'typeorm';
import { OwnedEntity } from '../../platform/postgres/owned-entity.ts';

/** The columns that are written; the database stamps the rest (see migrations/versioned.ts). */
@Entity('parameter')
export class ParameterEntity extends OwnedEntity {
  @Column('uuid', { name: 'project_id' })
  projectId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  @Column('boolean')
  secret!: boolean;

  @Column('uuid', { name: 'type_id' })
  typeId!: string;

  @Column('text', { nullable: true })
  expires!: string | null;

  @Column('jsonb', { name: 'expiration_action', nullable: true })
  expirationAction!: object | null;
}
