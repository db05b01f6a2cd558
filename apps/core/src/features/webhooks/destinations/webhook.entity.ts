import { Column, Entity } from 'typeorm';
import { OwnedEntity } from '../../../platform/postgres/owned-entity.ts';

/** The settings of a webhook. Workers store its progress in other columns (see delivery-store.ts). */
@Entity('webhook')
export class WebhookEntity extends OwnedEntity {
  @Column('text')
  name!: string;

  @Column('text', { name: 'event_types', array: true })
  eventTypes!: string[];

  @Column('text')
  channel!: string;

  @Column('text')
  username!: string;

  @Column('bytea', { name: 'sealed_token' })
  sealedToken!: Buffer;

  @Column('text', { name: 'masked_token' })
  maskedToken!: string;

  @Column('text')
  state!: string;

  @Column('text', { name: 'state_reason', nullable: true })
  stateReason!: string | null;

  // Timestamps are text, because the driver would truncate them to milliseconds.
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
