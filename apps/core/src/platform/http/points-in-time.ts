import { Injectable } from '@nestjs/common';
import {
  assertAbilityOnScope,
  Failure,
  jsonPointer,
  type ObjectType,
  type OrganizationId,
  type Permissions,
  type Revision,
  sentence,
} from '@strata/domain';
import { Heads } from '../ledger/heads.ts';
import { SnapshotReader } from '../postgres/snapshot-reader.ts';
import type { PointInTime } from '../postgres/versioned-table.ts';

/** The point in time in a query, as the contract parses it. */
export interface PointInTimeQuery {
  readonly as_of?: string | undefined;
  readonly revision?: number | undefined;
  readonly tag?: string | undefined;
  readonly environment?: string | undefined;
}

/** Returns whether a query names a point in time, valid or not. */
export function hasPointInTime({ as_of, revision, tag }: Readonly<Record<string, unknown>>): boolean {
  return as_of !== undefined || revision !== undefined || tag !== undefined;
}

/** The permissions of the caller: only callers with access to an environment can see its tags. */
interface Requester extends Permissions {
  readonly organizationId: OrganizationId;
}

/** Returns the pointer to a member of the point in time. By default it is a query parameter. */
export type PointerForField = (member: keyof PointInTimeQuery) => string;
const locateParameter: PointerForField = (member) => jsonPointer([member]);

/** A query with its resolved point in time. */
interface ResolvedQuery<Query> {
  readonly at: PointInTime;
  /** The instant of `as_of` or of the tag, for rights that end without a revision. Null for a revision and for now. */
  readonly instant: string | null;
  readonly query: Query;
}

/** A tag of an environment. The revision is null if there is no such tag. */
interface TagRow {
  readonly environment: string;
  readonly name: string;
  readonly revision: number | null;
  readonly instant: string;
}

/**
 * Resolves `as_of`, `tag` and `revision` once per request. No later code reads the current time (behaviour.md §1.9). If
 * an object did not exist at that point, its reader returns 404, in the order of the table in §1.9: a project's
 * snapshot checks the project first; routes below an environment check the environment first.
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
   * An instant in the future means now; a revision that does not exist returns 404. With a tag, the query contains the
   * present name of the environment. The environment may have had another name at that time, so readers get its id.
   * `locate` returns the pointers of errors.
   */
  async resolved<Query extends PointInTimeQuery>(
    requester: Requester,
    query: Query,
    knownPointInTime?: PointInTime,
    locate = locateParameter,
  ): Promise<ResolvedQuery<Query>> {
    if (knownPointInTime !== undefined) return { at: knownPointInTime, instant: null, query };
    const { organizationId } = requester;
    const { as_of: asOf, revision, tag } = query;
    const pointsInTime = (['as_of', 'revision', 'tag'] as const).filter((member) => query[member] !== undefined);
    const [first, secondPointInTime] = pointsInTime;
    if (first === undefined) return { at: 'now', instant: null, query };
    if (secondPointInTime !== undefined)
      throw Failure.invalid('two_moments', 'Set only one of as_of, tag and revision.').at(locate(secondPointInTime));
    if (tag !== undefined) {
      const { environment, at, instant } = await this.atTag(requester, tag, query.environment, locate);
      return { at, instant, query: { ...query, environment } };
    }
    const at =
      asOf === undefined
        ? this.atRevision(organizationId, revision ?? 0, locate('revision'))
        : this.atInstant(organizationId, asOf);
    return { at: await at, instant: asOf ?? null, query };
  }

  /** Returns the last revision at or before an instant; 0 before the first one. */
  async atInstant(organizationId: OrganizationId, instant: string): Promise<Revision> {
    const [row] = await this.reader.query<{ revision: number }>('select strata_revision_at($1, $2) as revision', [
      organizationId,
      instant,
    ]);
    return row?.revision ?? 0;
  }

  /** Uses the present environment. It does not have the tags of its parents (E71, E72). */
  private async atTag(requester: Requester, tag: string, environment: string | undefined, locate: PointerForField) {
    if (environment === undefined) {
      const message = 'A tag belongs to an environment. Set environment as well.';
      throw Failure.invalid('tag_without_environment', message).at(locate('environment'));
    }
    const { organizationId } = requester;
    const [tagRow] = await this.reader.query<TagRow>(
      `select environment.id as environment, environment.name, case when tag.id is not null then strata_revision_at($1, tag."timestamp") end as revision, tag."timestamp"::text as instant
         from (select id, name from environment
                where organization_id = $1 and (id::text = lower($2) or name = $2)
                order by (id::text = lower($2)) desc limit 1) environment
         left join tag on tag.organization_id = $1 and tag.environment_id = environment.id and tag.name = $3`,
      [organizationId, environment, tag],
    );
    if (!tagRow) throw notFoundAtError('Environment', 0).at(locate('environment'));
    assertAbilityOnScope(requester, 'read', tagRow.environment, locate('environment'));
    if (tagRow.revision !== null)
      return { environment: tagRow.environment, at: tagRow.revision, instant: tagRow.instant };
    throw new Failure({
      kind: 'not_found',
      code: 'unknown_tag',
      pointer: locate('tag'),
      message: sentence`There is no tag ${{ tag }} in environment ${{ environment: tagRow.name }}.`,
    });
  }

  private async atRevision(organizationId: OrganizationId, revision: number, pointer: string): Promise<PointInTime> {
    const latest = (await this.heads.readRevision(organizationId)) ?? 0;
    if (revision <= latest) return revision;
    throw new Failure({
      kind: 'not_found',
      code: 'unknown_revision',
      pointer,
      message: sentence`Revision ${{ revision }} does not exist; the latest is ${{ latest_revision: latest }}.`,
    });
  }
}

/**
 * Returns 404 with the sentence that clients match. It differs for a point in time. Some clients match the present
 * sentence for projects even then, so the sentence contains both (behaviour.md §1.9); for environments clients
 * distinguish the two. If the caller requested several objects, the error names the missing one.
 */
export function notFoundAtError(noun: ObjectType, at: PointInTime, nameOrId?: string): Failure {
  if (at === 'now') return Failure.notFound(noun, nameOrId);
  return Failure.notFound(
    noun === 'Environment' ? `${noun}Ledger` : `${noun}Ledger matches the given query. No ${noun}`,
    nameOrId,
    `${noun}Ledger`,
  );
}
