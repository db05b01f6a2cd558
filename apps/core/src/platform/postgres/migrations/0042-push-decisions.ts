import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds what people see and decide about pushes: approved plans, and the time of the last write of a key. */
export class PushDecisions1700000000042 implements MigrationInterface {
  readonly name = 'PushDecisions1700000000042';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      alter table task
        -- the plan that a person approved for this run
        add column plan_hash text,
        -- whether the run has compared that plan, so that a repeated attempt finishes it
        add column plan_accepted boolean not null default false;
      alter table sync_key
        add column written_at timestamptz,
        -- whether the push contained the key when it last ran
        add column is_desired boolean not null default true;
      alter table exchange
        -- the store that the push reached last; its keys are the ones that users see
        add column store text;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      alter table exchange drop column store;
      alter table sync_key drop column written_at, drop column is_desired;
      alter table task drop column plan_hash, drop column plan_accepted;`);
  }
}
