import type { EffectiveBatchResult, EffectiveBatchValue } from '@strata/contract';
import type { Context, TargetOptions } from '../core/context.ts';
import { CommandError, EXIT } from '../core/errors.ts';

/** The point in time that a read shows; the present without one. */
export interface PointInTimeOptions {
  readonly revision?: string;
  readonly asOf?: string;
  readonly tag?: string;
}

/** The project and the environment that are read. */
export type ReadTarget = Pick<Context, 'client' | 'project' | 'environment'>;

export interface ReadOptions extends TargetOptions, PointInTimeOptions {
  readonly reveal?: boolean;
}

export type ValueWithSource = Required<
  Pick<EffectiveBatchValue, 'value' | 'secret' | 'source_project_name' | 'source_environment_name'>
>;

/** The effective values at one revision. */
export interface EffectiveState {
  readonly revision: number;
  readonly digest: string;
  readonly values: Readonly<Record<string, ValueWithSource>>;
}

const MEMBERS = 'value,secret,source_project_name,source_environment_name';

export const pointInTimeQuery = ({ revision, asOf, tag }: PointInTimeOptions) => ({ revision, as_of: asOf, tag });

/** Returns the effective values of the selected project and environment, in one request. */
export async function readValues(
  target: ReadTarget,
  options: ReadOptions,
  names?: readonly string[],
): Promise<Readonly<Record<string, ValueWithSource>>> {
  return (await readEffective(target, options, names)).values;
}

/** Returns the effective values with the revision that was read, and the digest that equal values share. */
export async function readEffective(
  { client, project, environment }: ReadTarget,
  { reveal = false, ...options }: ReadOptions,
  names?: readonly string[],
): Promise<EffectiveState> {
  const { revision, results } = await client.call('effective_list', {
    query: {
      ...{ project, environment, include: MEMBERS, mask_secrets: !reveal, name: names && { repeated: names } },
      ...pointInTimeQuery(options),
    },
  });
  return { revision, digest: results[0]?.digest ?? '', values: requireValues(results[0]) };
}

function requireValues(result: EffectiveBatchResult | undefined): Readonly<Record<string, ValueWithSource>> {
  // Without a prototype, `constructor` is no name unless a parameter has it.
  if (result?.values)
    return Object.assign(Object.create(null), result.values) as Readonly<Record<string, ValueWithSource>>;
  const { code, detail, problems = [] } = result?.error ?? { code: 'unknown', detail: 'Strata returned no values.' };
  if (code === 'forbidden') throw new CommandError(EXIT.forbidden, detail, { code });
  const names = (problems ?? []).map((problem) => (problem as { readonly parameter_name?: string }).parameter_name);
  throw new CommandError(EXIT.failed, [detail, names.join(', ')].filter(Boolean).join(' '), {
    code,
    hint: 'Run `strata explain <name>` to see which text cannot be evaluated.',
  });
}

/** Returns a value as JSON output shows it. */
export const describeValue = ({
  value,
  secret,
  source_project_name: project,
  source_environment_name: environment,
}: ValueWithSource) => ({
  value,
  secret,
  set_in: { project, environment },
});
