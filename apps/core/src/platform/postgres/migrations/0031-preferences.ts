import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = `
-- A recent, a favourite or a view of a member. Ids of deleted objects may remain for a while.
create table preference (
  organization_id uuid not null,
  person_id       text not null,
  kind            text not null check (kind in ('recent', 'favourite', 'view')),
  id              uuid not null,
  -- the object; for a view, its project
  object_id       uuid not null,
  -- the name and the choices of a view
  choices         jsonb,
  at              timestamptz not null,
  primary key (organization_id, person_id, kind, id),
  constraint preference_choices check ((kind = 'view') = (choices is not null)),
  constraint preference_member foreign key (organization_id, person_id)
    references membership (organization_id, person_id) on delete cascade
);

grant select, insert, update, delete on preference to strata_app;`;

/** Adds the recents, favourites and views of members. */
export class Preferences1700000000031 implements MigrationInterface {
  readonly name = 'Preferences1700000000031';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    await db.query(TABLE);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('drop table preference');
  }
}
