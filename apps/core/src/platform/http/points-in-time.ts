import { Injectable } from '@nestjs/common';
import {
  assertOnScope,
  Failure,
  type ObjectType,
  type OrganizationId,
  type Permissions,
  type Revision,
} from '@strata/domain';
import { Heads } from '../ledger/heads.ts';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import type { PointInTime } from '../postgres/versioned-table.ts';

/** The point in time that a query names, as parsed by the contract. */
export interface PointInTimeQuery {
  readonly as_of?: string | undefined;
  readonly revision?: number | undefined;
  readonly tag?: string | undefined;
  readonly environment?: string | undefined;
}

/** Who asks: the tags of an environment are known to those only who have access to it. */
interface Requester extends Permissions {
  readonly organizationId: OrganizationId;
}

/** A query whose point in time is known. */
interface ResolvedQuery<Query> {
  readonly at: PointInTime;
  readonly query: Query;
}

/** A tag of an environment, found or not: its revision, null when there is no such tag. */
interface TagRow {
  readonly environment: string;
  readonly name: string;
  readonly revision: number | null;
}

/**
 * Resolves `as_of`, `tag` and `revision` once when the request arrives; nothing behind it asks for "now" by itself (behaviour.md §1.9).
 * What was missing at that point is then told by who reads there, in the order of the table of §1.9: a project's
 * snapshot looks for the project first, or for the environment if it is asked to.
 */
@Injectable()
export class PointsInTime {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly heads: Heads,
  ) {}

  async of(requester: Requester, query: PointInTimeQuery): Promise<PointInTime> {
    return (await this.resolved(requester, query)).at;
  }

  /**
   * An instant of the future equals now, a revision that does not exist is 404. Beside a tag the environment is named as it
   * is called now, and it, or another one, may have been called otherwise then: readers get its id.
   */
  async resolved<Query extends PointInTimeQuery>(
    requester: Requester,
    query: Query,
    known?: PointInTime,
  ): Promise<ResolvedQuery<Query>> {
    if (known !== undefined) return { at: known, query };
    const { organizationId } = requester;
    const { as_of: asOf, revision, tag } = query;
    const moments = [asOf, revision, tag].filter((moment) => moment !== undefined);
    if (moments.length === 0) return { at: 'now', query };
    if (moments.length > 1) throw Failure.invalid('two_moments', 'Give only one of as_of, tag and revision.');
    if (tag !== undefined) {
      const { environment, at } = await this.atTag(requester, tag, query.environment);
      return { at, query: { ...query, environment } };
    }
    const at =
      asOf === undefined ? this.atRevision(organizationId, revision ?? 0) : this.atInstant(organizationId, asOf);
    return { at: await at, query };
  }

  /** The last revision at or before an instant; 0 before the first one. */
  async atInstant(organizationId: OrganizationId, instant: string): Promise<Revision> {
    const [row] = await this.reader.query<{ revision: number }>('select strata_revision_at($1, $2) as revision', [
      organizationId,
      instant,
    ]);
    return row?.revision ?? 0;
  }

  /** The environment is that of the present; a tag of a parent is none of its own (E71, E72). */
  private async atTag(requester: Requester, tag: string, environment: string | undefined) {
    if (environment === undefined) {
      throw Failure.invalid('tag_without_environment', 'A tag belongs to an environment: give environment too.');
    }
    const { organizationId } = requester;
    const [found] = await this.reader.query<TagRow>(
      `select e.id as environment, e.name, case when t.id is not null then strata_revision_at($1, t."timestamp") end as revision
         from (select id, name from environment
                where organization_id = $1 and (id::text = lower($2) or name = $2)
                order by (id::text = lower($2)) desc limit 1) e
         left join tag t on t.organization_id = $1 and t.environment_id = e.id and t.name = $3`,
      [organizationId, environment, tag],
    );
    if (!found) throw missing('Environment', 0);
    assertOnScope(requester, 'read', found.environment);
    if (found.revision !== null) return { environment: found.environment, at: found.revision };
    throw new Failure({
      kind: 'not_found',
      code: 'unknown_tag',
      message: `There is no tag ${tag} in environment ${found.name}.`,
    });
  }

  private async atRevision(organizationId: OrganizationId, revision: number): Promise<PointInTime> {
    const latest = (await this.heads.revisionOf(organizationId)) ?? 0;
    if (revision <= latest) return revision;
    throw new Failure({
      kind: 'not_found',
      code: 'unknown_revision',
      message: `Revision ${revision} does not exist; the latest is ${latest}.`,
    });
  }
}

/**
 * 404 in the words that clients search for: other ones when a point in time is in play. Of a project some search for the
 * words of the present even then, so both are said (behaviour.md §1.9); of an environment they tell the two apart. Who
 * asked for several is told which one is missing.
 */
export function missing(thing: ObjectType, at: PointInTime, named?: string): Failure {
  if (at === 'now') return Failure.notFound(thing, named);
  return Failure.notFound(
    thing === 'Environment' ? `${thing}Ledger` : `${thing}Ledger matches the given query. No ${thing}`,
    named,
  );
}
