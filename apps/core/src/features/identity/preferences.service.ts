import { Injectable } from '@nestjs/common';
import { type MatrixView, PREFERENCES_MAX, type Preferences, type Shortcut } from '@strata/contract';
import { canOnScope, Failure, forbiddenScopes, type ScopeId, sentence, type Uuid } from '@strata/domain';
import { DataSource } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { unknownLinkError } from '../../platform/http/links.ts';
import { translateViolations } from '../../platform/postgres/constraints.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { Transaction } from '../../platform/postgres/transaction.ts';
import { wireTimeSql } from '../../platform/postgres/versioned-table.ts';

type PreferenceKind = 'recent' | 'favourite' | 'view' | 'collapsed_environment';

/** A row to store: an object of the organization and, for a view, its choices. */
interface StoredPreference {
  readonly kind: PreferenceKind;
  readonly id: string;
  readonly objectId: string;
  readonly choices: object | null;
}

/** Joins the objects of an organization that preferences refer to. $1 is the organization. */
const OBJECTS = `
  select id, 'project' as type, name, id as scope_id, null::uuid as project_id from project where organization_id = $1
   union all
  select id, 'environment', name, id, null from environment where organization_id = $1
   union all
  select id, 'parameter', name, project_id, project_id from parameter where organization_id = $1`;

const FIND = `select type, scope_id from (${OBJECTS}) object where id = $2`;

const READ = `
select preference.kind, preference.id, preference.object_id, preference.choices, ${wireTimeSql('preference.at')} as at, object.type, object.name, object.project_id,
       (select name from project where organization_id = $1 and id = object.project_id) as project_name
  from preference
 cross join lateral (select * from (${OBJECTS}) object where object.id = preference.object_id) object
 where preference.organization_id = $1 and preference.person_id = $2 and object.scope_id <> all($3::uuid[])
 order by preference.at desc, preference.id`;

/** The changes of one membership are made one after the other, so that they cannot exceed the limit together. */
const LOCK = `select pg_advisory_xact_lock(hashtext('preference'), hashtext($1::uuid || $2))`;

/** Deletes rows of deleted objects, and makes room for one more recent. */
const PRUNE = `
delete from preference
 where preference.organization_id = $1 and preference.person_id = $2 and preference.kind = $3
   and (not exists (select from (${OBJECTS}) object where object.id = preference.object_id)
        or $3 = 'recent' and preference.id in (
          select id from preference
           where organization_id = $1 and person_id = $2 and kind = 'recent' and id <> $4
           order by at desc, id offset ${PREFERENCES_MAX - 1}))`;

/** Stores a row unless there are too many. The time of a favourite and of a view is that of its first write. */
const STORE = `
insert into preference (organization_id, person_id, kind, id, object_id, choices, at)
select $1, $2, $3, $4, $5, $6, clock_timestamp()
 where (select count(*) from preference where organization_id = $1 and person_id = $2 and kind = $3 and id <> $4)
       < ${PREFERENCES_MAX}
    on conflict (organization_id, person_id, kind, id) do update
   set object_id = excluded.object_id, choices = excluded.choices,
       at = case when preference.kind = 'recent' then excluded.at else preference.at end
returning 1`;

/**
 * Stores the recents, favourites, views and collapsed environments of each membership. Only the member can read them. They are not part of the
 * configuration, so writes create no revision (ADR 0066).
 */
@Injectable()
export class PreferencesService {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly dataSource: DataSource,
  ) {}

  /** Returns the preferences of the caller, without those about objects that the caller cannot access. */
  async read(caller: Caller): Promise<Preferences> {
    const { organizationId, id: personId } = caller;
    const rows = await this.reader.query<PreferenceRow>(READ, [organizationId, personId, forbiddenScopes(caller)]);
    const listRows = (kind: PreferenceKind) => rows.filter((row) => row.kind === kind);
    return {
      recents: listRows('recent').map(shortcut),
      favourites: listRows('favourite').map(shortcut),
      views: listRows('view').map(({ id, object_id: project_id, choices }) => ({
        ...VIEW_DEFAULTS,
        ...choices,
        id,
        project_id,
      })),
      collapsed_environment_ids: listRows('collapsed_environment').map(({ id }) => id),
    };
  }

  /** Adds a recent or a favourite, or collapses an environment. */
  async mark(caller: Caller, kind: Exclude<PreferenceKind, 'view'>, id: Uuid): Promise<void> {
    const object = await this.find(caller, id);
    if (!object) throw Failure.notFound('Object');
    if (kind === 'collapsed_environment' && object.type !== 'environment') throw Failure.notFound('Environment');
    await this.store(caller, { kind, id, objectId: id, choices: null });
  }

  async saveView(caller: Caller, view: MatrixView): Promise<MatrixView> {
    const { id, project_id: objectId, ...choices } = view;
    if ((await this.find(caller, objectId))?.type !== 'project') throw unknownLinkError('project', 'projects');
    await this.store(caller, { kind: 'view', id, objectId, choices });
    return view;
  }

  async remove({ organizationId, id: personId }: Caller, kind: RemovableKind, id: Uuid): Promise<void> {
    const removedRows = await this.reader.query<object>(
      'delete from preference where organization_id = $1 and person_id = $2 and kind = $3 and id = $4 returning 1',
      [organizationId, personId, kind, id],
    );
    if (removedRows.length === 0) throw Failure.notFound(REMOVABLE[kind]);
  }

  /** Returns the object if the caller can access it. */
  private async find(caller: Caller, id: string) {
    const [scope] = await this.reader.query<{ type: Shortcut['type']; scope_id: ScopeId }>(FIND, [
      caller.organizationId,
      id,
    ]);
    return scope && canOnScope(caller, 'read', scope.scope_id) ? scope : null;
  }

  private async store({ organizationId, id: personId }: Caller, row: StoredPreference): Promise<void> {
    const { kind, id, objectId, choices } = row;
    const key = [organizationId, personId, kind, id];
    await Transaction.run(this.dataSource, async (transaction) => {
      const sentStatements = transaction.send(
        { text: LOCK, values: [organizationId, personId] },
        { text: PRUNE, values: key },
        { text: STORE, values: [...key, objectId, choices && JSON.stringify(choices)] },
      );
      const [, , storedRows = []] = await translateViolations(sentStatements, GONE);
      if (storedRows.length === 0) throw tooManyPreferencesError(kind);
    });
  }
}

/** The kinds that the member removes, with the words for errors. */
const REMOVABLE = { favourite: 'Favourite', view: 'View', collapsed_environment: 'Collapsed environment' } as const;
type RemovableKind = keyof typeof REMOVABLE;

/** The choices that views of previous releases lack. */
const VIEW_DEFAULTS = { grouped: false } as const;

interface PreferenceRow extends Shortcut {
  readonly kind: PreferenceKind;
  readonly object_id: string;
  readonly choices: Omit<MatrixView, 'id' | 'project_id'>;
}

const shortcut = ({ id, type, name, project_id, project_name, at }: PreferenceRow): Shortcut => ({
  id,
  type,
  name,
  project_id,
  project_name,
  at,
});

/** A membership that ended in the meantime. */
const GONE = { preference_member: () => Failure.forbidden() };

const tooManyPreferencesError = (kind: PreferenceKind): Failure =>
  Failure.invalid(
    `too_many_${kind}s`,
    sentence`At most ${{ limit: PREFERENCES_MAX }} ${{ kind: kind.replace('_', ' ') }}s are stored. Remove one of them, and try again.`,
  );
