import { Injectable } from '@nestjs/common';
import { Failure, type OrganizationId } from '@strata/domain';
import { Heads } from '../database/heads.ts';
import { SnapshotReader } from '../database/snapshot-reader.ts';
import type { PointInTime } from '../database/versioned-table.ts';

/** The point in time that a query names, as parsed by the contract. */
export interface MomentQuery {
  readonly as_of?: string | undefined;
  readonly revision?: number | undefined;
  readonly tag?: string | undefined;
  readonly environment?: string | undefined;
}

/** Resolves `as_of` and `revision` once at the door; nothing behind it asks for "now" by itself (behaviour.md §1.9). */
@Injectable()
export class Moments {
  constructor(
    private readonly reader: SnapshotReader,
    private readonly heads: Heads,
  ) {}

  /** An instant or revision of the future: an instant equals now, a revision that does not exist is 404. */
  async of(organizationId: OrganizationId, query: MomentQuery): Promise<PointInTime> {
    const { as_of: asOf, revision, tag } = query;
    const given = [asOf, revision, tag].filter((moment) => moment !== undefined);
    if (given.length === 0) return 'now';
    if (given.length > 1) throw Failure.invalid('two_moments', 'Give only one of as_of, tag and revision.');
    if (tag !== undefined) throw missingTag(tag, query.environment);
    return asOf === undefined ? this.atRevision(organizationId, revision ?? 0) : this.atInstant(organizationId, asOf);
  }

  private async atInstant(organizationId: OrganizationId, instant: string): Promise<PointInTime> {
    const [row] = await this.reader.query<{ revision: number }>('select strata_revision_at($1, $2) as revision', [
      organizationId,
      instant,
    ]);
    return row?.revision ?? 0;
  }

  private async atRevision(organizationId: OrganizationId, revision: number): Promise<PointInTime> {
    const latest = (await this.heads.revisionOf(organizationId)) ?? 0;
    if (revision <= latest) return revision;
    throw new Failure('not_found', 'unknown_revision', `Revision ${revision} does not exist; the latest is ${latest}.`);
  }
}

/** E71 and E72. There are no tags to find yet, so what is asked for is missing either way. */
function missingTag(tag: string, environment: string | undefined): Failure {
  if (environment === undefined) {
    return Failure.invalid('tag_without_environment', 'A tag belongs to an environment: give environment too.');
  }
  return new Failure('not_found', 'unknown_tag', `There is no tag ${tag} in environment ${environment}.`);
}

/** 404 in the words that clients search for: other ones when a point in time is in play. */
export function missing(thing: 'Environment' | 'Project' | 'Parameter' | 'Value', at: PointInTime): Failure {
  if (at === 'now') return Failure.notFound(thing);
  const text = `No ${thing}Ledger matches the given query. No ${thing} matches the given query.`;
  return new Failure('not_found', 'not_found', text);
}
