import { Args, Context, Parent, Query, ResolveField, Resolver } from '@nestjs/graphql';
import {
  ParameterDuality as DualitySchema,
  type Page,
  ParameterDualityQuery,
  type ParameterDuality as ParameterDualityRow,
  ParameterListQuery,
  ParameterQuery,
  type Parameter as ParameterRow,
  type Value as ValueRow,
} from '@strata/contract';
import type { GatewayContext } from '../context.ts';
import { type Query as Asked, orNull } from '../core.ts';
import { argsOf } from '../graphql/args.ts';
import { connectionFrom, connectionOf, type PageArgs, windowOf } from '../graphql/connection.ts';
import { OWN_REQUEST } from '../graphql/cost.ts';
import { momentOf } from '../graphql/list.ts';
import { filled } from '../graphql/operations.ts';
import { type Presented, shape } from '../graphql/shape.ts';
import { onlyValue } from '../loaders.ts';
import { idOf, type View } from '../node.ts';
import { Project } from '../projects/projects.ts';
import { Parameter, Value } from './parameters.ts';

/** How a parameter was reached: values look different from a project that inherits it. */
interface ParameterView extends View {
  /** The project that was asked. */
  readonly projectId: string;
  /** The environment and masking of the list it came from, for fields that do not say otherwise. */
  readonly environment?: string;
  readonly reveal: boolean;
  /** The effective value that came along. */
  readonly effective?: ValueRow | null;
}

type Given = Readonly<Record<string, unknown>>;

const ParameterConnection = connectionOf(Parameter);
const PATH = 'projects/{projectId}/parameters/';
const listArgs = argsOf(ParameterListQuery, { paged: true, without: ['values'] });
const oneArgs = argsOf(ParameterQuery, { ids: ['projectId', 'id'], without: ['values'] });

/** The query of a read of parameters. Without an environment there is no one value to bring along; to differ takes them all. */
function queryOf(asked: Asked): Asked {
  const { mask_secrets, ...rest } = asked;
  return asked.environment || asked.difference ? asked : { ...rest, values: false };
}

function viewOf(projectId: string, given: Given, moment: Asked, row: ParameterRow): ParameterView {
  const reveal = given.reveal === true;
  const environment = given.environment as string | null | undefined;
  return { projectId, reveal, moment, ...(environment && { environment, effective: onlyValue(row) }) };
}

const ParameterDuality = shape('ParameterDuality', 'The parameters of one name at two points in time.', DualitySchema, {
  t1: 'The parameter at the first; null when it was not there.',
  t2: 'The parameter at the second; null when it was not there.',
});
const DualityConnection = connectionOf(ParameterDuality);
const dualityArgs = argsOf(ParameterDualityQuery, { paged: true, without: ['values'] });

/** Each of the two is seen at its own point in time, in what hangs on it as well. */
function dualityViewOf(projectId: string, given: Given, row: ParameterDualityRow): View {
  const { environment } = given;
  const view = (asOf: unknown, tag: unknown, parameter: ParameterRow | null): View => {
    const moment = {
      ...(asOf ? { as_of: String(asOf) } : {}),
      ...(tag ? { tag: String(tag), environment: String(environment) } : {}),
    };
    return parameter ? viewOf(projectId, given, moment, parameter) : {};
  };
  return { members: { t1: view(given.t1AsOf, given.t1Tag, row.t1), t2: view(given.t2AsOf, given.t2Tag, row.t2) } };
}

@Resolver(() => Project.type)
export class ProjectParametersResolver {
  @ResolveField(() => ParameterConnection, {
    complexity: OWN_REQUEST,
    description:
      'The parameters of the project, inherited ones included, by name; `effective` of each is about `environment`.',
  })
  async parameters(
    @Parent() { row: project, view }: Presented<{ id: string }>,
    @Args({ type: () => listArgs.type }) given: PageArgs & Given,
    @Context() { core, loaders }: GatewayContext,
  ) {
    const window = windowOf(given);
    const moment = await momentOf(loaders, listArgs.moment(given), view);
    const { body, revision } = await core.get<Page<ParameterRow>>(filled(PATH, { projectId: project.id }), {
      ...queryOf({ ...listArgs.query(given), ...moment }),
      page: window.page,
      page_size: window.page_size,
    });
    return connectionFrom(window, body, revision, (row) =>
      Parameter.present(row, viewOf(project.id, given, moment, row)),
    );
  }

  @ResolveField(() => DualityConnection, {
    complexity: OWN_REQUEST,
    description:
      'Its parameters at two points in time side by side, by name; `effective` of each is about `environment`.',
  })
  async compare(
    @Parent() { row: project }: Presented<{ id: string }>,
    @Args({ type: () => dualityArgs.type }) given: PageArgs & Given,
    @Context() { core }: GatewayContext,
  ) {
    const window = windowOf(given);
    const path = filled(`${PATH}duality/`, { projectId: project.id });
    const query = { ...dualityArgs.query(given), page: window.page, page_size: window.page_size };
    const { body, revision } = await core.get<Page<ParameterDualityRow>>(path, query);
    return connectionFrom(window, body, revision, (row) =>
      ParameterDuality.present(row, dualityViewOf(project.id, given, row)),
    );
  }
}

@Resolver(() => Parameter.type)
export class ParameterViewsResolver {
  @Query(() => Parameter.type, {
    nullable: true,
    description: 'One parameter, as seen from a project; null when there is none for the caller.',
  })
  async parameter(
    @Args({ type: () => oneArgs.type }) given: Given & { readonly projectId: string; readonly id: string },
    @Context() { core }: GatewayContext,
  ) {
    const path = filled(`${PATH}{id}/`, given);
    const found = await orNull(core.get<ParameterRow>(path, queryOf(oneArgs.query(given))));
    return found && Parameter.present(found.body, viewOf(given.projectId, given, oneArgs.moment(given), found.body));
  }

  @ResolveField(() => Value.type, {
    nullable: true,
    description: 'The value that applies in an environment; null when there is none, neither set nor inherited.',
  })
  async effective(
    @Parent() { row, view }: Presented<ParameterRow>,
    @Args('environment', {
      type: () => String,
      nullable: true,
      description: 'Name or id; the environment of the surrounding list, else `default`.',
    })
    asked: string | null,
    @Args('reveal', {
      type: () => Boolean,
      nullable: true,
      description: 'Show the text of a secret instead of `*****`; as in the surrounding list when left out.',
    })
    shown: boolean | null,
    @Context() { loaders }: GatewayContext,
  ) {
    const {
      projectId = idOf(row.project),
      environment: around,
      reveal: revealed,
      effective,
    } = view as Partial<ParameterView>;
    const environment = asked ?? around ?? 'default';
    const reveal = shown ?? revealed ?? false;
    const { moment } = view;
    const cameAlong = effective !== undefined && environment === around && reveal === revealed;
    const value = cameAlong
      ? effective
      : await loaders.effective.load({
          projectId,
          parameterId: row.id,
          environment,
          reveal,
          moment: await loaders.pinned(moment),
        });
    return value && Value.present(value, { moment });
  }

  @ResolveField(() => [Value.type], { description: 'The values set on this parameter itself, by name of environment.' })
  async values(
    @Parent() { row, view }: Presented<ParameterRow>,
    @Args('reveal', {
      type: () => Boolean,
      nullable: true,
      description: 'Show the texts of a secret instead of `*****`; as in the surrounding list when left out.',
    })
    shown: boolean | null,
    @Context() { loaders }: GatewayContext,
  ) {
    const reveal = shown ?? view.reveal === true;
    const moment = await loaders.pinned(view.moment);
    const key = { projectId: idOf(row.project), parameterId: row.id, reveal, moment };
    return (await loaders.explicit.load(key)).map((value) => Value.present(value, { moment }));
  }
}
