import { Failure } from '@strata/domain';
import { namesProblem } from '../../platform/patterns.ts';

interface OwningProject {
  readonly name: string;
  readonly pattern: string;
}

/** E33: names of parameters match the pattern of their project. */
export async function demandParameterNames(
  { pattern, name: project }: OwningProject,
  names: readonly string[],
): Promise<void> {
  const problem = await namesProblem(pattern, names);
  if (problem === null) return;
  const message =
    problem === 'mismatch'
      ? `Names of parameters in ${project} must begin with ${pattern}.`
      : `The pattern ${pattern} of ${project} takes too long for so many names. Simplify it, or use fewer names.`;
  throw Failure.field('name_pattern', 'name', message);
}

/** E34, in words, when the database finds that a name is taken. */
export const parameterRefusals = (name: string) => ({
  parameter_name_taken: () =>
    Failure.field('duplicate_name', 'name', `This project has a parameter named ${name} already. Choose another name.`),
});
