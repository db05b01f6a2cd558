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
    `select template.id, 'template ' || template.name as name, template.project_id as "projectId", project.name as project
       from template join project on project.organization_id = template.organization_id and project.id = template.project_id
      where template.organization_id = $1 and template.id = any($2::uuid[])
     union all
     select value.id, parameter.name || ' in ' || environment.name, parameter.project_id, project.name
       from value
       join parameter on parameter.organization_id = value.organization_id and parameter.id = value.parameter_id
       join project on project.organization_id = value.organization_id and project.id = parameter.project_id
       join environment on environment.organization_id = value.organization_id and environment.id = value.environment_id
      where value.organization_id = $1 and value.id = any($2::uuid[])`,
    [organizationId, ids],
  );
}
