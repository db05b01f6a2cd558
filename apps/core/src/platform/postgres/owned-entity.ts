import { PrimaryColumn } from 'typeorm';

/** What every row of an organization begins with: whose it is, and which. */
export abstract class OwnedEntity {
  @PrimaryColumn('uuid', { name: 'organization_id' })
  organizationId!: string;

  @PrimaryColumn('uuid')
  id!: string;
}
