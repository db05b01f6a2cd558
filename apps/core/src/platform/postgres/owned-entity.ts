import { PrimaryColumn } from 'typeorm';

/** The columns that every row of an organization has: the organization's id and the row's id. */
export abstract class OwnedEntity {
  @PrimaryColumn('uuid', { name: 'organization_id' })
  organizationId!: string;

  @PrimaryColumn('uuid')
  id!: string;
}
