import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Stores the notification settings that clients save with an organization. The column has the type `json`, which keeps
 * their text unchanged.
 */
export class NotificationConfig1700000000015 implements MigrationInterface {
  readonly name = 'NotificationConfig1700000000015';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`alter table organization add column notification_config json not null default '{}'`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('alter table organization drop column notification_config');
  }
}
