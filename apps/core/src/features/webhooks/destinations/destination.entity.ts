import { Column, Entity } from 'typeorm';
import { OwnedEntity } from '../../../platform/postgres/owned-entity.ts';

/** The settings of a destination. Workers store its progress in other columns (see delivery-statements.ts). */
@Entity('destination')
export class DestinationEntity extends OwnedEntity {
  @Column('text')
  name!: string;

  @Column('text')
  type!: 'http' | 'teams' | 'discord' | 'email';

  @Column('text', { name: 'event_types', array: true })
  eventTypes!: string[];

  @Column('uuid', { name: 'project_ids', array: true })
  projectIds!: string[];

  @Column('uuid', { name: 'environment_ids', array: true })
  environmentIds!: string[];

  @Column('text', { name: 'parameter_names', array: true })
  parameterNames!: string[];

  @Column('bytea', { name: 'sealed_address', nullable: true })
  sealedAddress!: Buffer | null;

  @Column('text', { name: 'masked_address', nullable: true })
  maskedAddress!: string | null;

  @Column('text', { array: true })
  recipients!: string[];

  @Column('text', { nullable: true })
  envelope!: string | null;

  @Column('text', { nullable: true })
  signing!: string | null;

  @Column('bytea', { name: 'sealed_secret', nullable: true })
  sealedSecret!: Buffer | null;

  @Column('text', { name: 'public_key', nullable: true })
  publicKey!: string | null;

  @Column('bytea', { name: 'sealed_previous_secret', nullable: true })
  sealedPreviousSecret!: Buffer | null;

  @Column('text', { name: 'previous_public_key', nullable: true })
  previousPublicKey!: string | null;

  // Timestamps are text, because the driver would truncate them to milliseconds.
  @Column('text', { name: 'previous_secret_until', nullable: true })
  previousSecretUntil!: string | null;

  @Column('integer', { name: 'expiry_days', array: true })
  expiryDays!: number[];

  @Column('text', { name: 'owner_id', nullable: true })
  ownerId!: string | null;

  @Column('text')
  state!: string;

  @Column('text', { name: 'state_reason', nullable: true })
  stateReason!: string | null;

  @Column('text', { name: 'failing_since', nullable: true })
  failingSince!: string | null;

  @Column('boolean', { name: 'notice_due' })
  noticeDue!: boolean;

  @Column('text', { name: 'created_at' })
  createdAt!: string;

  @Column('text', { name: 'modified_at' })
  modifiedAt!: string;

  @Column('uuid', { name: 'cursor_epoch' })
  cursorEpoch!: string;

  @Column('bigint', { name: 'cursor_revision' })
  cursorRevision!: number;

  @Column('integer', { name: 'cursor_ordinal' })
  cursorOrdinal!: number;

  @Column('integer')
  failures!: number;

  @Column('text', { name: 'next_attempt_at' })
  nextAttemptAt!: string;
}
