import { Failure, nameProblem, type PlannedCopy } from '@strata/domain';

/** Throws 400 for a name that is taken or none; the name of a child is told where children's names are said. */
export function demandNames(
  plan: readonly PlannedCopy[],
  clash: PlannedCopy | null,
  noun: 'environment' | 'project',
): void {
  const fieldOf = ({ parentSourceId }: PlannedCopy) => (parentSourceId === null ? 'name' : `child_${noun}_names`);
  if (clash) {
    const message = `There is ${noun === 'environment' ? 'an' : 'a'} ${noun} named ${clash.name} already. Choose another name.`;
    throw Failure.field('duplicate_name', fieldOf(clash), message);
  }
  for (const copy of plan) {
    const problem = nameProblem(copy.name);
    if (problem)
      throw Failure.field(problem.code, fieldOf(copy), `${problem.message} Say another name for this child.`);
  }
}
