import { Failure } from '@strata/domain';
import { matchesPattern } from '../../platform/patterns.ts';

interface OwningProject {
  readonly name: string;
  readonly pattern: string;
}

/** E33: names of parameters match the pattern of their project. */
export function demandParameterNames({ pattern, name: project }: OwningProject, names: readonly string[]): void {
  if (names.every((name) => matchesPattern(pattern, name))) return;
  throw Failure.field('name_pattern', 'name', `Names of parameters in ${project} must begin with ${pattern}.`);
}

/** E34, in words, when the database finds that a name is taken. */
export const parameterRefusals = (name: string) => ({
  parameter_name_taken: () =>
    Failure.field('duplicate_name', 'name', `This project has a parameter named ${name} already. Choose another name.`),
});
