import { canOnScope, forbiddenScopes, type Permissions } from '@strata/domain';
import type { Links } from '../../platform/http/links.ts';
import type { ReferenceRecord } from './evaluation-inputs.ts';

/**
 * Returns a function that returns whether the caller may see the target of a reference. They must be able to read the
 * referenced project. In the present, contents that it inherits from a forbidden project are visible, too; in past
 * states they are not.
 */
export function isReferenceVisible(
  permissions: Permissions,
  isPresent: boolean,
): (reference: ReferenceRecord) => boolean {
  if (forbiddenScopes(permissions).length === 0) return () => true;
  return ({ projectId, targetProjectId }) =>
    canOnScope(permissions, 'read', projectId) &&
    (isPresent || targetProjectId === null || canOnScope(permissions, 'read', targetProjectId));
}

/**
 * Returns the links of references in a text of project `home`, in the form that values and templates contain
 * (behaviour.md §6.3).
 */
export function referenceLinks(references: readonly ReferenceRecord[], projectUrl: string, links: Links) {
  const targets = (requestedKind: ReferenceRecord['kind'], link: (projectId: string, id: string) => string) =>
    references.flatMap(({ kind, targetId, targetProjectId }) =>
      kind === requestedKind && targetId !== null && targetProjectId !== null ? [link(targetProjectId, targetId)] : [],
    );
  const projects = new Set(references.map(({ projectId }) => projectId));
  projects.delete(projectUrl);
  return {
    referenced_projects: [...projects].map(links.project),
    referenced_parameters: [...new Set(targets('parameter', links.parameter))],
    referenced_templates: [...new Set(targets('template', links.template))],
  };
}
