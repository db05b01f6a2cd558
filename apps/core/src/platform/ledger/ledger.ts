import { Injectable } from '@nestjs/common';
import {
  type ChangeAction,
  CONTENT_TYPES,
  type EventType,
  encodeCursor,
  Failure,
  type FeedEvent,
  type FeedEventType,
  type NamedObject,
  NON_CONTRACT_OBJECT_TYPES,
  nonContractEventType,
  type ObjectType,
  type OrganizationId,
  type Position,
  type Revision,
} from '@strata/domain';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import { wireTimeSql } from '../postgres/versioned-table.ts';

export interface LedgerEvent {
  readonly position: Position;
  readonly event: FeedEvent;
}

export interface LedgerPage {
  /** The events in the order of commits. */
  readonly events: readonly LedgerEvent[];
  /** All events up to here are on this page or an earlier one. It also advances over changes without events. */
  readonly position: Position;
  /** The page was full, so there may be further events already. */
  readonly more: boolean;
  readonly revision: Revision;
  /**
   * Permissions may have changed up to this revision. Look up the receivers of this page again if they were looked up
   * before it.
   */
  readonly people: Revision;
}

interface HeadRow {
  readonly epoch: string;
  readonly revision: Revision;
  readonly ordinal: number;
  readonly oldest: Revision;
}

interface EventRow {
  readonly revision: Revision;
  readonly ordinal: number;
  /** Null for additional events that follow from others. */
  readonly type: EventType | null;
  readonly action: ChangeAction;
  readonly at: string;
  readonly actor: FeedEvent['actor'];
  readonly object: FeedEvent['object'];
  readonly project: NamedObject;
  readonly environment: NamedObject;
  readonly parameter: NamedObject;
  readonly message: string | null;
}

/** `oldest` is the first revision that still exists. A client at an earlier position may have missed events. */
const HEAD = `head.epoch, head.revision,
  coalesce((select max(change.ordinal) from change where change.organization_id = $1 and change.revision = head.revision), 0) as ordinal,
  coalesce((select min(changeset.revision) from changeset where changeset.organization_id = $1), head.revision) as oldest`;

/** Beyond this number of revisions, a search for changes of people would cost more than looking the caller up. */
const PEOPLE_SOUGHT = 1_000;

/** Selects whether anything but content changed since a position, as the topic of a notification does. */
const PEOPLE_MOVED = `head.revision - $2::bigint > ${PEOPLE_SOUGHT} or exists (
  select from change
   where change.organization_id = $1 and (change.revision, change.ordinal) > ($2::bigint, $3::int)
     and change.object_type <> all(array['${CONTENT_TYPES.join("', '")}']))`;

const named = (noun: string) => `json_build_object('id', change.${noun}_id, 'name', change.${noun}_name) as ${noun}`;

/** Looks up the changeset of each event separately. A join would read all changesets to find the last one. */
const EVENTS = `
  select change.revision, change.ordinal, change.event_type as type, change.action, ${wireTimeSql('changeset.at')} as at,
         json_build_object('id', changeset.actor_id, 'name', changeset.actor_name, 'type', changeset.actor_type) as actor,
         json_build_object('type', change.object_type, 'id', change.object_id, 'name', change.object_name) as object,
         ${named('project')}, ${named('environment')}, ${named('parameter')}, changeset.message
    from (select * from change
           where organization_id = $1 and (revision, ordinal) > ($2::bigint, $3::int)
             and (event_type is not null or object_type = any(array['${NON_CONTRACT_OBJECT_TYPES.join("', '")}']))
           order by revision, ordinal limit $4) change
   cross join lateral (
     select * from changeset where organization_id = change.organization_id and revision = change.revision offset 0) changeset
   order by change.revision, change.ordinal`;

/** Reads the ledger forward. Every response comes from one statement, so head and events are consistent. */
@Injectable()
export class Ledger {
  constructor(private readonly reader: SnapshotReader) {}

  /** Returns the present end of the ledger. */
  async head(organizationId: OrganizationId): Promise<Position> {
    const { epoch, revision, ordinal } = await this.headRow(organizationId);
    return { epoch, revision, ordinal };
  }

  /** Returns the position before the oldest event. */
  async beginning(organizationId: OrganizationId): Promise<Position> {
    const { epoch, oldest } = await this.headRow(organizationId);
    return { epoch, revision: oldest, ordinal: 0 };
  }

  /** Returns the events after a position. Throws `cursor_gone` if the position does not belong to this ledger. */
  async after(organizationId: OrganizationId, position: Position, limit: number): Promise<LedgerPage> {
    const [head] = await this.reader.query<HeadRow & { moved: boolean; events: EventRow[] }>(
      `select ${HEAD}, ${PEOPLE_MOVED} as moved, (select coalesce(json_agg(record), '[]') from (${EVENTS}) record) as events
         from organization_head head where head.organization_id = $1`,
      [organizationId, position.revision, position.ordinal, limit],
    );
    if (!head) throw Failure.notFound('Organization');
    assertKnown(position, head);
    const { epoch, revision, ordinal } = head;
    const events = head.events.map((row) => ledgerEvent(epoch, row));
    const lastEvent = events.at(-1);
    const hasMore = events.length === limit && lastEvent !== undefined;
    const end = hasMore ? lastEvent.position : { epoch, revision, ordinal };
    return { events, position: end, more: hasMore, revision, people: head.moved ? revision : position.revision };
  }

  private async headRow(organizationId: OrganizationId): Promise<HeadRow> {
    const [head] = await this.reader.query<HeadRow>(
      `select ${HEAD} from organization_head head where head.organization_id = $1`,
      [organizationId],
    );
    if (!head) throw Failure.notFound('Organization');
    return head;
  }
}

/** Returns a negative number if `a` is before `b`; both must have the same epoch. */
export function comparePositions(a: Position, b: Position): number {
  return a.revision - b.revision || a.ordinal - b.ordinal;
}

/** An empty response would mean that nothing happened, so an invalid position is an error. */
export function cursorGoneError(): Failure {
  return new Failure({
    kind: 'cursor_gone',
    code: 'cursor_gone',
    message:
      'This cursor is unknown, too old, or belongs to a history that was replaced. Read the current state again, and continue from a new cursor (after=now).',
  });
}

function assertKnown(position: Position, head: HeadRow): void {
  const isKnown =
    position.epoch === head.epoch && position.revision >= head.oldest && comparePositions(position, head) <= 0;
  if (!isKnown) throw cursorGoneError();
}

function ledgerEvent(epoch: string, row: EventRow): LedgerEvent {
  const { revision, ordinal, action, at, actor, object, project, environment, parameter, message } = row;
  const position = { epoch, revision, ordinal };
  const namedOrNull = (subject: NamedObject | { id: null }) => (subject.id === null ? null : (subject as NamedObject));
  const type = row.type ?? nonContractEventType(object.type as ObjectType, action);
  const event: FeedEvent = {
    cursor: encodeCursor(position),
    type: type as FeedEventType,
    action,
    revision,
    at,
    actor,
    object,
    project: namedOrNull(project),
    environment: namedOrNull(environment),
    parameter: namedOrNull(parameter),
    changeset: revision,
    message,
  };
  return { position, event };
}
