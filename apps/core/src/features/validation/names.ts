import { copyClash, Failure, nameProblem, type OrganizationId, type PlannedCopy } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { namesProblem } from '../../platform/patterns/patterns.ts';

/*
 * What names must satisfy beyond their shape, which the contract checks: the pattern of what they belong to, and that
 * nothing else there has them. The latter is a constraint of the database; here are its words.
 */

/** Refuses the name of a project that does not match the organization's pattern (E21). */
export async function assertProjectNames(
  em: EntityManager,
  organizationId: OrganizationId,
  names: readonly string[],
): Promise<void> {
  const [organization] = await em.query<{ pattern: string }[]>(
    'select project_name_pattern as pattern from organization where id = $1',
    [organizationId],
  );
  const pattern = organization?.pattern ?? '';
  await assertMatch(pattern, names, {
    mismatch: `Names of projects must match the organization's pattern ${pattern}.`,
    too_slow: `The organization's pattern ${pattern} takes too long for so many names. Simplify it, or copy in parts.`,
  });
}

/** A project, and what names of its parameters must match. */
interface ProjectWithPattern {
  readonly name: string;
  readonly pattern: string;
}

/** Refuses the name of a parameter that does not match the pattern of its project (E33). */
export function assertParameterNames(
  { name: project, pattern }: ProjectWithPattern,
  names: readonly string[],
): Promise<void> {
  return assertMatch(pattern, names, {
    mismatch: `Names of parameters in ${project} must begin with ${pattern}.`,
    too_slow: `The pattern ${pattern} of ${project} takes too long for so many names. Simplify it, or use fewer names.`,
  });
}

async function assertMatch(
  pattern: string,
  names: readonly string[],
  messages: Readonly<Record<'mismatch' | 'too_slow', string>>,
): Promise<void> {
  const problem = await namesProblem(pattern, names);
  if (problem !== null) throw Failure.field('name_pattern', 'name', messages[problem]);
}

/**
 * Names of copies come from people, or are made of the names of their sources: none may be taken, and each must be well
 * formed. 400 on the field that says it.
 */
export function assertCopyNames(
  plan: readonly PlannedCopy[],
  taken: Iterable<string>,
  noun: 'environment' | 'project',
): void {
  const fieldOf = ({ parentSourceId }: PlannedCopy) => (parentSourceId === null ? 'name' : `child_${noun}_names`);
  const clash = copyClash(plan, taken);
  if (clash) throw nameTaken(noun, clash.name, fieldOf(clash));
  for (const copy of plan) {
    const problem = nameProblem(copy.name);
    if (problem)
      throw Failure.field(problem.code, fieldOf(copy), `${problem.message} Say another name for this child.`);
  }
}

const TAKEN_BY = {
  environment: 'There is an environment',
  exchange: 'This integration has one',
  group: 'There is a group',
  parameter: 'This project has a parameter',
  project: 'There is a project',
  tag: 'This environment has a tag',
  template: 'This project has a template',
  type: 'There is a type',
} as const;

/** Makes the refusal, 400, of a name that something else of this kind has in the same place (E34 and its like). */
export function nameTaken(noun: keyof typeof TAKEN_BY, name: string, field = 'name'): Failure {
  return Failure.field('duplicate_name', field, `${TAKEN_BY[noun]} named ${name} already. Choose another name.`);
}
