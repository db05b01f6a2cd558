import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Text is clear, `sealed` is for secrets; both null is an explicit null. The database stamps the other columns. */
@Entity('value')
export class ValueEntity {
  @PrimaryColumn('uuid', { name: 'organization_id' })
  organizationId!: string;

  @PrimaryColumn('uuid')
  id!: string;

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
