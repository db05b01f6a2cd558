import type { Links } from '../../platform/http/links.ts';
import type { ReferenceRecord } from './world.ts';

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
