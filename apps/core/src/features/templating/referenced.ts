import { canOnScope, closedScopes, type Standing } from '@strata/domain';
import type { Links } from '../../platform/http/links.ts';
import type { ReferenceRecord } from './world.ts';

/**
 * Whether somebody is told what a text refers to: only where they may look. What a project inherits from a closed one is
 * seen in it, but not what it once inherited.
 */
export function showsReference(standing: Standing, isPresent: boolean): (reference: ReferenceRecord) => boolean {
  if (closedScopes(standing).length === 0) return () => true;
  return ({ projectId, targetProjectId }) =>
    canOnScope(standing, 'read', projectId) &&
    (isPresent || targetProjectId === null || canOnScope(standing, 'read', targetProjectId));
}

/** The links of what a text of project `home` refers to, as values and templates show them (behaviour.md §6.3). */
export function referencedBy(references: readonly ReferenceRecord[], home: string, links: Links) {
  const targets = (wanted: ReferenceRecord['kind'], link: (projectId: string, id: string) => string) =>
    references.flatMap(({ kind, targetId, targetProjectId }) =>
      kind === wanted && targetId !== null && targetProjectId !== null ? [link(targetProjectId, targetId)] : [],
    );
  const projects = new Set(references.map(({ projectId }) => projectId));
  projects.delete(home);
  return {
    referenced_projects: [...projects].map(links.project),
    referenced_parameters: [...new Set(targets('parameter', links.parameter))],
    referenced_templates: [...new Set(targets('template', links.template))],
  };
}
