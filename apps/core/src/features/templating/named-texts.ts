import type { OrganizationId, ProjectId } from '@strata/domain';
import type { EntityManager } from 'typeorm';

export interface NamedText {
  readonly id: string;
  readonly name: string;
  readonly projectId: ProjectId;
  readonly project: string;
}

/** Returns the names of texts for messages: templates by name, values by parameter and environment. */
export async function namedTexts(
  em: EntityManager,
  organizationId: OrganizationId,
  ids: readonly string[],
): Promise<readonly NamedText[]> {
  return em.query<NamedText[]>(
    `select t.id, 'template ' || t.name as name, t.project_id as "projectId", p.name as project
       from template t join project p on p.organization_id = t.organization_id and p.id = t.project_id
      where t.organization_id = $1 and t.id = any($2::uuid[])
     union all
     select v.id, x.name || ' in ' || e.name, x.project_id, p.name
       from value v
       join parameter x on x.organization_id = v.organization_id and x.id = v.parameter_id
       join project p on p.organization_id = v.organization_id and p.id = x.project_id
       join environment e on e.organization_id = v.organization_id and e.id = v.environment_id
      where v.organization_id = $1 and v.id = any($2::uuid[])`,
    [organizationId, ids],
  );
}
