import type { Explanation } from '@strata/contract';
import type { Context } from '../core/context.ts';
import { CommandError, EXIT } from '../core/errors.ts';
import { toOneLine } from '../core/one-line.ts';
import { pointInTimeQuery, type ReadOptions } from './effective.ts';

interface MissingOptions extends ReadOptions {
  /** Whether to send no request for similar names. */
  readonly offline?: boolean;
}

/** Returns the error for a name without a value. It contains similar names, as far as the caller can read them. */
export async function missingValueError(
  context: Context,
  name: string,
  { offline = false, ...options }: MissingOptions,
): Promise<CommandError> {
  const { project, environment } = context;
  const message = `"${name}" has no value in project "${project}" in environment "${environment}".`;
  const nearNames = offline ? [] : await similarNames(context, name, options);
  const next = `Run \`strata explain ${name}\` to see why.`;
  const hint = nearNames.length > 0 ? `Similar: ${nearNames.map(toOneLine).join(', ')}. ${next}` : next;
  return new CommandError(EXIT.notFound, message, { hint });
}

async function similarNames(context: Context, name: string, options: ReadOptions): Promise<readonly string[]> {
  try {
    return (await readExplanation(context, name, { ...options, reveal: false })).reason?.nearest_names ?? [];
  } catch (error) {
    if (error instanceof CommandError) return [];
    throw error;
  }
}

/** Returns why a value is effective, or why there is none. */
export async function readExplanation(
  { client, project, environment }: Context,
  name: string,
  { reveal = false, ...options }: ReadOptions,
): Promise<Explanation> {
  const query = { environment, name, mask_secrets: !reveal, ...pointInTimeQuery(options) };
  const path = { id: await client.projectId(project) };
  const { results } = await client.call('projects_explain_list', { path, query });
  const [explanation] = results;
  if (explanation) return explanation;
  throw new CommandError(EXIT.notFound, `"${name}" cannot be explained in project "${project}".`);
}
