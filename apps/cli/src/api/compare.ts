import type { OperationRequest } from '@strata/contract';
import type { Context } from '../core/context.ts';

/** Options that can also be undefined. */
type Optional<Options> = { readonly [Name in keyof Options]?: Options[Name] | undefined };

/** The project on the right, and the points in time of both sides. */
interface Sides {
  readonly rightProject: string;
  readonly leftRevision: string;
  readonly leftAsOf: string;
  readonly leftTag: string;
  readonly rightRevision: string;
  readonly rightAsOf: string;
  readonly rightTag: string;
}

/** Returns the request for a comparison. */
export async function comparisonRequest(
  { client, project }: Context,
  left: string,
  right: string | undefined,
  options: Optional<Sides>,
): Promise<OperationRequest<'projects_compare_list'>> {
  const query = {
    ...{ left, right: right ?? left, left_as_of: options.leftAsOf, left_tag: options.leftTag },
    ...{ left_revision: options.leftRevision, right_project: options.rightProject, right_as_of: options.rightAsOf },
    ...{ right_tag: options.rightTag, right_revision: options.rightRevision },
  };
  return { path: { project_pk: await client.projectId(project) }, query };
}
