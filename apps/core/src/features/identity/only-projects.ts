import { Failure, type OrganizationId, type ProjectId, type Role } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { idFromLink, unknownLinkError } from '../../platform/http/links.ts';

/** SQL for the ids of the projects that a membership is limited to, without deleted ones; null for no limit. $1 is the organization. */
export const onlyProjectIds = (membership: string): string => `
  case when ${membership}.only_project_ids is not null then array(
    select project.id from project where project.organization_id = $1 and project.id = any(${membership}.only_project_ids) order by project.name) end`;

/** Resolves the projects that an account is limited to. Throws 400 if one of them does not exist. */
export async function resolveOnlyProjects(
  em: EntityManager,
  organizationId: OrganizationId,
  links: readonly string[] | null,
): Promise<readonly ProjectId[] | null> {
  if (links === null) return null;
  const ids = [...new Set(links.map((link) => idFromLink('only_projects', 'projects', link)))];
  const existingProjects = await em.query<object[]>(
    'select from project where organization_id = $1 and id = any($2::uuid[])',
    [organizationId, ids],
  );
  if (existingProjects.length < ids.length) throw unknownLinkError('only_projects', 'projects');
  return ids;
}

/** Rejects a limit for a role that can change objects outside of projects, such as other accounts. */
export function assertMayBeLimited(role: Role, onlyProjects: readonly ProjectId[] | null): void {
  if (onlyProjects === null || role === 'VIEWER') return;
  throw Failure.field(
    'role_too_high',
    'non_field_errors',
    'Only a VIEWER can be limited to projects. Give the account grants on its projects to let it change them.',
  );
}
