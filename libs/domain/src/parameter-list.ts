import { compareNames } from './human-order.ts';
import type { ProjectId } from './ids.ts';
import { nameList } from './name-list.ts';
import { canOnScope, type Permissions } from './scope.ts';

interface ListedParameter {
  readonly name: string;
  readonly projectId: ProjectId;
  readonly project: string;
}

/**
 * Lists parameters for a sentence, ordered by name. A name that several projects use is followed by its project.
 * Parameters of forbidden projects are only counted.
 */
export function parameterList(permissions: Permissions, parameters: readonly ListedParameter[]): string {
  const seen = parameters.filter(({ projectId }) => canOnScope(permissions, 'read', projectId));
  const count = Map.groupBy(seen, ({ name }) => name);
  const names = [...seen]
    .sort((left, right) => compareNames(left.name, right.name) || compareNames(left.project, right.project))
    .map(({ name, project }) => ((count.get(name)?.length ?? 0) > 1 ? `${name} (in ${project})` : name));
  const hidden = parameters.length - seen.length;
  return [
    ...(names.length > 0 ? [nameList(names)] : []),
    ...(hidden > 0 ? [`${hidden} in projects that you have no access to`] : []),
  ].join(', and ');
}
