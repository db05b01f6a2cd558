import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What programs keep with an organization about its notifications: `json`, which keeps any text that they put into it. */
export class NotificationConfig1700000000015 implements MigrationInterface {
  readonly name = 'NotificationConfig1700000000015';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`alter table organization add column notification_config json not null default '{}'`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('alter table organization drop column notification_config');
  }
}
