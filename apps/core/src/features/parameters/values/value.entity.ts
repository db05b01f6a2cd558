import { Column, Entity } from 'typeorm';
import { OwnedEntity } from '../../../platform/postgres/owned-entity.ts';

/** Text is clear, `sealed` is for secrets; both null is an explicit null. The database stamps the other columns. */
@Entity('value')
export class ValueEntity extends OwnedEntity {
  @Column('uuid', { name: 'parameter_id' })
  parameterId!: string;

  @Column('uuid', { name: 'environment_id' })
  environmentId!: string;

  @Column('text', { nullable: true })
  text!: string | null;

  @Column('bytea', { nullable: true })
  sealed!: Buffer | null;

  @Column('boolean')
  interpolated!: boolean;
}
