import type { Explanation, Page } from '@strata/contract';
import type { Context } from '../core/context.ts';
import { CommandError, EXIT } from '../core/errors.ts';
import { momentOf, type ReadOptions } from './effective.ts';

/** Returns why a value is effective, or why there is none. */
export async function readExplanation(
  { client, project, environment }: Context,
  name: string,
  { reveal = false, ...options }: ReadOptions,
): Promise<Explanation> {
  const query = { environment, name, mask_secrets: !reveal, ...momentOf(options) };
  const path = `projects/${await client.projectId(project)}/explain/`;
  const { results } = await client.get<Page<Explanation>>(path, query);
  const [explanation] = results;
  if (explanation) return explanation;
  throw new CommandError(EXIT.notFound, `"${name}" cannot be explained in project "${project}".`);
}
