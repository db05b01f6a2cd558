import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Maps the subjects of an external issuer to people. */
export class IssuerSubjects1700000000014 implements MigrationInterface {
  readonly name = 'IssuerSubjects1700000000014';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      -- Written at a person's first sign-in. Later sign-ins are matched by subject, even if the address changes.
      create table issuer_subject (
        issuer     text not null,
        subject    text not null,
        person_id  text not null references person on delete cascade,
        created_at timestamptz not null default now(),
        primary key (issuer, subject),
        constraint issuer_subject_person_taken unique (issuer, person_id)
      );
      create index issuer_subject_person on issuer_subject (person_id);
      grant select, insert on issuer_subject to strata_app;`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop table issuer_subject');
  }
}
