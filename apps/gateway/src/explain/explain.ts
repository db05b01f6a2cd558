import * as contract from '@strata/contract';
import { GraphQLBoolean, GraphQLID, GraphQLNonNull, GraphQLString } from 'graphql';
import type { GatewayContext } from '../context.ts';
import { nullIfNotFound, type Query } from '../core.ts';
import type { Assembly } from '../schema/assembly.ts';
import { addList } from '../schema/list-field.ts';
import { declareObject, type LinkedObject } from '../schema/object-type.ts';
import { fillPath } from '../schema/operations.ts';
import { idArgs, queryArgs } from '../schema/query-args.ts';
import { type FieldArgs, field } from '../schema/schema-build.ts';
import type { SchemaPart } from '../schema/schema-part.ts';

interface InEnvironment {
  readonly environment_id: string | null;
}
interface InProject {
  readonly project_id: string;
}

const environment: LinkedObject<InEnvironment> = {
  name: 'environment',
  to: 'Environment',
  about: 'The environment.',
  ids: ({ environment_id: id }) => (id === null ? null : [id]),
};
const project: LinkedObject<InProject> = {
  name: 'project',
  to: 'Project',
  about: 'The project.',
  ids: ({ project_id: id }) => [id],
};

export const EXPLAIN_PART: SchemaPart = {
  objects: [
    declareObject({ name: 'Explanation', of: contract.Explanation, linked: [environment] }),
    declareObject({ name: 'ExplainedValue', of: contract.ExplainedValue, linked: [environment, project] }),
    declareObject({ name: 'ExplainedCandidate', of: contract.ExplainedCandidate, linked: [environment, project] }),
    declareObject({ name: 'ExplainedNext', of: contract.ExplainedNext }),
    declareObject({ name: 'ExplainedExternal', of: contract.ExplainedExternal }),
    declareObject({ name: 'ExplainedSource', of: contract.ExplainedSource, linked: [environment, project] }),
    declareObject({ name: 'ExplainedReference', of: contract.ExplainedReference, linked: [project] }),
    declareObject({ name: 'ExplainedDependent', of: contract.ExplainedDependent, linked: [environment, project] }),
    declareObject({ name: 'ExplainedChange', of: contract.ExplainedChange }),
    declareObject({ name: 'ExplainedPush', of: contract.ExplainedPush }),
    declareObject({ name: 'ReadBy', of: contract.ReadBy }),
    declareObject({ name: 'ExplainedProject', of: contract.ExplainedProject, linked: [project] }),
    declareObject({ name: 'ExplainedAbsence', of: contract.ExplainedAbsence }),
  ],
  extend: addExplanations,
};

type ExplainArgs = FieldArgs & { readonly projectId: string; readonly environmentId: string; readonly name: string };

function addExplanations(assembly: Assembly): void {
  addList(assembly, {
    operation: 'projects_explain_list',
    of: 'Explanation',
    under: 'Project',
    about:
      'Explains the effective values of all parameters in one environment, sorted by name, with fewer details: `candidates`, `madeOf` and `neededBy` require a `name`, and `since` is available for at most 100 at once.',
    query: (query, isSelected) => ({ ...query, ...(isSelected('since') && { include: 'since' }) }),
  });
  const { build } = assembly;
  const args = queryArgs(build, contract.ExplanationQuery.pick({ as_of: true, tag: true, revision: true }));
  const shape = assembly.shapeNamed('Explanation');
  assembly.build.add('Query', {
    explain: field<unknown, ExplainArgs>({
      type: shape.type,
      description:
        'Explains why a parameter has its effective value in an environment, or why it has none. Null if the caller cannot access the project or the environment.',
      args: {
        ...idArgs(build, ['projectId']),
        environmentId: { type: new GraphQLNonNull(GraphQLID), description: 'Id or name of the environment.' },
        name: { type: new GraphQLNonNull(GraphQLString), description: 'Name of the parameter, which need not exist.' },
        reveal: {
          type: new GraphQLNonNull(GraphQLBoolean),
          defaultValue: false,
          description: 'Reveal the values of secrets instead of `*****`.',
        },
        ...args.config,
      },
      resolve: async (_source, variables, { core }: GatewayContext) => {
        const { environmentId, name, reveal } = variables;
        const query: Query = { ...args.query(variables), environment: environmentId, name, mask_secrets: !reveal };
        const path = fillPath('projects/{projectId}/explain/', variables);
        const response = await nullIfNotFound(
          core.get<{ readonly results: readonly contract.Explanation[] }>(path, query),
        );
        const explanation = response?.body.results[0];
        const pointInTime = {
          ...args.pointInTime(variables),
          ...(variables.tag ? { environment: environmentId } : {}),
        };
        return explanation && shape.toSource(explanation, { pointInTime });
      },
    }),
  });
}
