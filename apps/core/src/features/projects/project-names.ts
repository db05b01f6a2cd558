import { Failure } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { namesProblem } from '../../platform/patterns.ts';

/** E21: names of projects match the organization's pattern. */
export async function demandProjectNames(
  em: EntityManager,
  { organizationId }: Caller,
  names: readonly string[],
): Promise<void> {
  const [organization] = await em.query<{ pattern: string }[]>(
    'select project_name_pattern as pattern from organization where id = $1',
    [organizationId],
  );
  const pattern = organization?.pattern ?? '';
  const problem = await namesProblem(pattern, names);
  if (problem === null) return;
  const message =
    problem === 'mismatch'
      ? `Names of projects must match the organization's pattern ${pattern}.`
      : `The organization's pattern ${pattern} takes too long for so many names. Simplify it, or copy in parts.`;
  throw Failure.field('name_pattern', 'name', message);
}
