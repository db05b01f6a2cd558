import { isUuid, textProblem } from '@strata/domain';
import { lastSegment, readLinkPath, unknownLinkError } from '../../platform/http/links.ts';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';

/** A parsed link: the id, and the collection that precedes it (null for a bare id). */
interface ResourceLink {
  readonly collection: string | null;
  readonly id: string;
}

/** Parses a link. Only its path counts, so any origin is accepted (domain.md H7). */
export function parseResourceLink(link: string): ResourceLink {
  const path = readLinkPath(link);
  const collection = path.includes('/') ? (path.split('/').at(-2) ?? '') : null;
  return { collection, id: lastSegment(link) };
}

const isOf = ({ collection }: ResourceLink, ...collections: readonly string[]) =>
  collection === null || collections.includes(collection);

/** The principal of a grant. Exactly one of the two ids is set. */
export interface Principal {
  readonly membership_id: string | null;
  readonly group_id: string | null;
  readonly name: string;
}

/** The scope of a grant. Exactly one of the two ids is set. */
export interface GrantScope {
  readonly project_id: string | null;
  readonly environment_id: string | null;
  readonly name: string;
}

export const scopeId = ({ project_id: project, environment_id: environment }: Omit<GrantScope, 'name'>): string =>
  project ?? environment ?? '';

/** Resolves a link to a member (a person or a service account) or to a group. Throws 400 for any other link. */
export async function resolvePrincipal(
  reader: SnapshotReader,
  organizationId: string,
  link: string,
  field = 'principal',
): Promise<Principal> {
  const parsed = parseResourceLink(link);
  if (textProblem(parsed.id) !== null) throw unknownLinkError(field, 'users or groups');
  const [row] = await reader.query<Principal>(
    `select membership.id as membership_id, null as group_id, coalesce(person.name, person.email, person.id) as name
       from membership join person on person.id = membership.person_id
      where membership.organization_id = $1 and membership.person_id = $2 and $3
      union all
     select null, member_group.id, member_group.name from member_group where member_group.organization_id = $1 and member_group.id::text = lower($2) and $4`,
    [organizationId, parsed.id, isOf(parsed, 'users', 'serviceaccounts'), isOf(parsed, 'groups')],
  );
  if (!row) throw unknownLinkError(field, 'users or groups');
  return row;
}

/** Resolves a link to a project or an environment. Throws 400 for any other link. */
export async function resolveScope(reader: SnapshotReader, organizationId: string, link: string): Promise<GrantScope> {
  const parsed = parseResourceLink(link);
  const id = parsed.id.toLowerCase();
  if (!isUuid(id)) throw unknownLinkError('scope', 'projects or environments');
  const [row] = await reader.query<GrantScope>(
    `select id as project_id, null::uuid as environment_id, name from project
      where organization_id = $1 and id = $2 and $3
      union all
     select null, id, name from environment where organization_id = $1 and id = $2 and $4`,
    [organizationId, id, isOf(parsed, 'projects'), isOf(parsed, 'environments')],
  );
  if (!row) throw unknownLinkError('scope', 'projects or environments');
  return row;
}
