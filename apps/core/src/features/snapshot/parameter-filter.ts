import type { NameFilters } from '../../platform/http/filters.ts';
import type { ViewedParameter } from './snapshot.ts';

/**
 * The filters by name, secret flag and owner that all reads of a project's parameters support, parsed by the contract.
 */
export interface ParameterFilters extends NameFilters {
  readonly secret?: boolean | undefined;
  readonly immediate_parameters?: boolean | undefined;
  readonly name__in?: readonly string[] | undefined;
}

/**
 * Returns whether a visible parameter matches the filters. `projectId` is the project in which the parameter is
 * visible.
 */
export function matchesFilters(parameter: ViewedParameter, query: ParameterFilters, projectId: string): boolean {
  const { id, name, description, secret } = parameter;
  const lower = name.toLowerCase();
  const passes: readonly boolean[] = [
    !query.immediate_parameters || parameter.projectId === projectId,
    query.id__in === undefined || query.id__in.includes(id),
    query.secret === undefined || query.secret === secret,
    query.name === undefined || name === query.name,
    query.name__in === undefined || query.name__in.includes(name),
    query.name__iexact === undefined || lower === query.name__iexact.toLowerCase(),
    query.name__contains === undefined || name.includes(query.name__contains),
    query.name__icontains === undefined || lower.includes(query.name__icontains.toLowerCase()),
    query.name__startswith === undefined || name.startsWith(query.name__startswith),
    query.name__istartswith === undefined || lower.startsWith(query.name__istartswith.toLowerCase()),
    query.description__icontains === undefined ||
      description.toLowerCase().includes(query.description__icontains.toLowerCase()),
  ];
  return passes.every(Boolean);
}
