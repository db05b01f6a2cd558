import { compareNames } from './human-order.ts';
import type { ProjectId } from './ids.ts';
import { nameList } from './name-list.ts';
import { canOnScope, type Permissions } from './scope.ts';
import type { Sentence } from './sentence.ts';

interface ListedParameter {
  readonly name: string;
  readonly projectId: ProjectId;
  readonly project: string;
}

export type ParameterList = Sentence<'names' | 'more' | 'hidden'>;

/**
 * Lists parameters for a sentence, ordered by name. A name that several projects use is followed by its project.
 * Parameters of forbidden projects are only counted.
 */
export function parameterList(permissions: Permissions, parameters: readonly ListedParameter[]): ParameterList {
  const visibleIds = parameters.filter(({ projectId }) => canOnScope(permissions, 'read', projectId));
  const count = Map.groupBy(visibleIds, ({ name }) => name);
  const names = [...visibleIds]
    .sort((left, right) => compareNames(left.name, right.name) || compareNames(left.project, right.project))
    .map(({ name, project }) => ((count.get(name)?.length ?? 0) > 1 ? `${name} (in ${project})` : name));
  const hiddenCount = parameters.length - visibleIds.length;
  const list = nameList(names);
  const entries = [
    ...(names.length > 0 ? [list.message] : []),
    ...(hiddenCount > 0 ? [`${hiddenCount} in projects that you have no access to`] : []),
  ];
  return {
    message: entries.join(', and '),
    params: { ...list.params, ...(hiddenCount > 0 && { hidden: hiddenCount }) },
  };
}
