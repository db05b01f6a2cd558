import { CONTENT_TYPES, type OrganizationId, type Revision } from '@strata/domain';
import { CHANGE_COLUMNS, type ChainLink, type ColumnTexts, changesetHash, nextLink } from '@strata/evidence';
import { type AuthorizedCaller, areValid, credentialColumns } from '../auth/reauthorization.ts';
import type { Caller } from '../caller.ts';
import { KNOWN_SCHEMA } from '../postgres/migrations/index.ts';
import type { Statement } from '../postgres/prepared-client.ts';
import { APPLICATION_ROLE } from '../postgres/session.ts';
import type { Change } from './change.ts';
import type { ChangesetNote, Stamp } from './command.ts';

const PRESENT_HEAD = `
select epoch, revision, at, greatest(clock_timestamp(), at + interval '1 microsecond') as "nextAt", current_user::text as "currentUser",
       case when link is not null then json_build_object('revision', link_revision, 'hash', encode(link, 'hex')) end as link
  from organization_head where organization_id = $1`;

/** The present head of a ledger. */
export interface PresentHead extends Stamp {
  /** Another epoch means another history: the database was restored. */
  readonly epoch: string;
  /** The instant that the next revision gets. */
  readonly nextAt: string;
  /** The role of PostgreSQL that reads the head. */
  readonly currentUser: string;
  /** The last link. Its revision is earlier than that of the head if a core of a previous release wrote last. */
  readonly link: ChainLink | null;
}

export function presentHead(organizationId: OrganizationId): Statement {
  return { text: PRESENT_HEAD, values: [organizationId] };
}

/**
 * Locks the head row. Until the end of the transaction, no other transaction writes in the organization. Returns the
 * head as it is once the lock is acquired.
 */
export function lockHeadStatement(organizationId: OrganizationId): Statement {
  return { text: `${PRESENT_HEAD} for update`, values: [organizationId] };
}

/** Whether the organization accepts writes, and the last revision that changed people or permissions. */
export interface OrganizationState {
  readonly maintenance: boolean;
  readonly deleted: boolean;
  /** For how many minutes after a read a deletion needs force; null for no protection. */
  readonly readProtection: number | null;
  /** The latest revision that may have changed permissions, found in the index `change_of_people`. */
  readonly people: Revision;
  /** Whether a later release has migrated the schema so that it does not support this core. */
  readonly isSchemaIncompatible: boolean;
}

/** A schema supports the core that it was made for, whatever it says about others. */
const IS_SCHEMA_INCOMPATIBLE = `
(select serves_cores_from from schema_compatibility) > ${KNOWN_SCHEMA.number} and (select count(*) from schema_migration) > ${KNOWN_SCHEMA.migrations.length}`;

const STATE = `
select maintenance, deleted_at is not null as deleted, read_protection_minutes as "readProtection", ${lastPeopleChange('$1')} as people,
       coalesce(${IS_SCHEMA_INCOMPATIBLE}, false) as "isSchemaIncompatible"
  from organization where id = $1`;

/** Returns SQL for the latest revision that may have changed permissions; 0 if there is none. */
export function lastPeopleChange(organizationId: string): string {
  return `coalesce((select max(revision) from change
                  where organization_id = ${organizationId} and object_type <> all(array['${CONTENT_TYPES.join("', '")}'])), 0)`;
}

/**
 * Run this in a separate statement after the head row is locked. A statement that waits for the lock sees the state
 * from before the wait.
 */
export function organizationState(organizationId: OrganizationId): Statement {
  return { text: STATE, values: [organizationId] };
}

/** Advances a locked head and sets the stamp for the triggers. Returns the new revision and its instant. */
export function nextRevision(organizationId: OrganizationId): Statement {
  return {
    text: `with head as (
       update organization_head
          set revision = revision + 1, at = greatest(clock_timestamp(), at + interval '1 microsecond')
        where organization_id = $1
       returning revision, at)
     select revision, at, set_config('strata.revision', revision::text, true), set_config('strata.at', at::text, true)
       from head`,
    values: [organizationId],
  };
}

/**
 * Advances a locked head to a linked revision. The rows of the revisions up to there contain their own stamps, so the
 * triggers get none.
 */
export function moveHead(organizationId: OrganizationId, { revision, at, link }: LinkedStamp): Statement {
  return {
    text: `update organization_head set revision = $2, at = $3, link = decode($4, 'hex'), link_revision = $2 where organization_id = $1`,
    values: [organizationId, revision, at, link.hash],
  };
}

/** The instants of an unmoved head are chosen by this process. The database accepts them if they are at most this old. */
const INSTANT_AGE_MAX = '1 second';

const MOVE_UNMOVED_HEAD = `
update organization_head head set revision = $4, at = $6, link = decode($8, 'hex'), link_revision = $4
  from (select organization_id from organization_head
         where organization_id = $1 and epoch = $2 and revision = $3 and at < $5 and link = decode($7, 'hex')
           and clock_timestamp() between $5 and $5 + interval '${INSTANT_AGE_MAX}'
           and current_user = '${APPLICATION_ROLE}'
           and exists (select from organization where id = $1 and not maintenance and deleted_at is null)
           and (select serves_cores_from from schema_compatibility) <= ${KNOWN_SCHEMA.number}
           ###
           for update skip locked) unmoved
 where head.organization_id = unmoved.organization_id
returning head.organization_id as id, clock_timestamp() as now`;

/** The number of parameters of `MOVE_UNMOVED_HEAD`. */
const PARAMETERS = 8;
const MOVE_WITHOUT_PROOF = MOVE_UNMOVED_HEAD.replace('###', '');
const MOVE_WITH_PROOF = MOVE_UNMOVED_HEAD.replace('###', `and ${areValid(PARAMETERS + 1)}`);

/**
 * Advances a head if nothing that a write depends on has changed since `from`: the head itself, and what changes without
 * a revision, which the database checks now. Does not wait for a lock: a statement that waits would see the state from
 * before the wait. Use it as the condition of `combineIf`.
 */
export function moveUnmovedHead(
  organizationId: OrganizationId,
  from: { readonly epoch: string; readonly link: ChainLink },
  { first, last }: { readonly first: Stamp; readonly last: LinkedStamp },
  callers: readonly AuthorizedCaller[],
): Statement {
  const values = [
    ...[organizationId, from.epoch, from.link.revision, last.revision, first.at, last.at],
    ...[from.link.hash, last.link.hash],
  ];
  return callers.length === 0
    ? { text: MOVE_WITHOUT_PROOF, values }
    : { text: MOVE_WITH_PROOF, values: [...values, ...credentialColumns(callers)] };
}

/** Sets the stamp that the triggers give to all further rows of the transaction. $1 is not used. */
export function setStamp(organizationId: OrganizationId, { revision, at }: Stamp): Statement {
  return {
    text: `select set_config('strata.revision', $2, true), set_config('strata.at', $3, true) where $1::uuid is not null`,
    values: [organizationId, `${revision}`, at],
  };
}

/** The contents of one revision: the author and the changes. */
export interface Changeset extends Stamp {
  readonly caller: Pick<Caller, 'id' | 'name' | 'type' | 'surface' | 'requestId'>;
  readonly changes: readonly Change[];
  readonly note?: ChangesetNote | undefined;
}

/** A revision with its link in the chain of the ledger. */
interface LinkedStamp extends Stamp {
  readonly link: ChainLink;
}

export interface LinkedChangeset extends Changeset, LinkedStamp {
  /** The stored texts of each change. */
  readonly rows: readonly ColumnTexts[];
}

/** Links consecutive changesets. `last` is the last link before them. */
export function linkChangesets(
  organizationId: OrganizationId,
  last: ChainLink | null,
  changesets: readonly Changeset[],
): LinkedChangeset[] {
  let previous = last;
  return changesets.map((changeset) => {
    const { revision, at, caller, note } = changeset;
    const { message = null, externalRef = null } = note ?? {};
    const rows = changeset.changes.map(toColumns);
    const { surface, requestId } = caller;
    const record = { organizationId, revision, at, actor: caller, surface, requestId, message, externalRef };
    const link = nextLink(previous, revision, changesetHash({ ...record, changes: rows }));
    previous = link;
    return { ...changeset, rows, link };
  });
}

/** Returns the texts of a change in the order of `CHANGE_COLUMNS`. */
function toColumns(change: Change, index: number): ColumnTexts {
  const { eventType, action, objectType, object, project, environment, parameter, operations } = change;
  return [
    String(index + 1),
    eventType,
    action,
    objectType,
    object.id,
    object.name,
    project?.id,
    project?.name,
    environment?.id,
    environment?.name,
    parameter?.id,
    parameter?.name,
    // an array of arrays would be flattened
    operations && `{${operations.join(',')}}`,
  ];
}

/**
 * Returns statements that store the changesets of one organization with their changes; they can be combined into one
 * statement. The revisions are consecutive. `changeset.changes` is the running total of changes up to and including the
 * changeset, and ordinals restart with each changeset.
 */
export function appendChangesets(
  organizationId: OrganizationId,
  changesets: readonly LinkedChangeset[],
): readonly [Statement, Statement] {
  const rows = changesets.flatMap(({ revision, rows }) => rows.map((row) => [revision, ...row]));
  const width = 1 + CHANGE_COLUMNS.length;
  const changeColumns = Array.from({ length: width }, (_, column) => rows.map((row) => row[column] ?? null));
  const per = <T>(pick: (changeset: LinkedChangeset) => T) => changesets.map(pick);
  let count = 0;
  const counts = per(({ changes }) => (count += changes.length));
  const ofChangesets = [
    per(({ revision }) => revision),
    per(({ at }) => at),
    per(({ caller }) => caller.id),
    per(({ caller }) => caller.name),
    per(({ caller }) => caller.type),
    per(({ caller }) => caller.surface),
    per(({ caller }) => caller.requestId),
    counts,
    per(({ note }) => note?.message ?? null),
    per(({ note }) => note?.externalRef ?? null),
    per(({ link }) => link.hash),
  ];
  return [
    { text: INSERT_CHANGESETS, values: [organizationId, ...ofChangesets] },
    { text: INSERT_CHANGES, values: [organizationId, ...changeColumns] },
  ];
}

const INSERT_CHANGESETS = `
insert into changeset (organization_id, revision, at, actor_id, actor_name, actor_type, surface, request_id, message, external_ref, link, changes)
select $1, input.revision, input.at, actor_id, actor_name, actor_type, surface, request_id, message, external_ref, decode(input.link, 'hex'), input.changes + coalesce(
         (select changeset.changes from changeset where changeset.organization_id = $1 and changeset.revision = ($2::bigint[])[1] - 1), 0)
  from unnest($2::bigint[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::bigint[],
              $10::text[], $11::text[], $12::text[])
       as input(revision, at, actor_id, actor_name, actor_type, surface, request_id, changes, message, external_ref, link)
 where $1::uuid is not null`;

const INSERT_CHANGES = `
insert into change (organization_id, revision, ${CHANGE_COLUMNS.join(', ')})
select $1, revision, ${CHANGE_COLUMNS.join(', ')}::int[]
  from unnest($2::bigint[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
              $9::uuid[], $10::text[], $11::uuid[], $12::text[], $13::uuid[], $14::text[], $15::text[])
       as input(revision, ${CHANGE_COLUMNS.join(', ')})
 where $1::uuid is not null`;
