/** The existing objects for the names of a key. */
export interface PullTarget {
  readonly hasEnvironment: boolean;
  readonly hasProject: boolean;
  /** Where the text of the value comes from; null without a value. */
  readonly value: 'this_key' | 'another_key' | 'internal' | null;
  /** Whether the parameter has a text without a value of its own, which the pull did not create. */
  readonly inheritsValue: boolean;
}

/** An absent option is false. */
export interface PullOptions {
  readonly create_environments?: boolean;
  readonly create_projects?: boolean;
}

/** Why a pull leaves a key out. */
export type PullSkip = 'value_set' | 'value_of_another_key' | 'value_inherited' | 'no_environment' | 'no_project';

/** The action of a pull for a key. */
export type PullDecision = 'create' | 'none' | PullSkip;

/** Returns what a pull does with a key. It creates what is missing, and changes nothing that exists. */
export function decidePull(target: PullTarget, options: PullOptions): PullDecision {
  const { hasEnvironment, hasProject, value, inheritsValue } = target;
  if (value === 'this_key') return 'none';
  if (value === 'another_key') return 'value_of_another_key';
  if (value === 'internal') return 'value_set';
  if (inheritsValue) return 'value_inherited';
  if (!hasEnvironment && !options.create_environments) return 'no_environment';
  return hasProject || options.create_projects ? 'create' : 'no_project';
}
