import type {
  Effective,
  EffectiveQuery,
  Environment,
  EnvironmentCreate,
  EnvironmentListQuery,
  EnvironmentPatch,
  EnvironmentQuery,
  EnvironmentUpdate,
  Parameter,
  ParameterCreate,
  ParameterListQuery,
  ParameterPatch,
  ParameterQuery,
  ParameterType,
  ParameterTypeCreate,
  ParameterTypeListQuery,
  ParameterTypePatch,
  ParameterTypeQuery,
  ParameterTypeUpdate,
  ParameterUpdate,
  Project,
  ProjectCreate,
  ProjectListQuery,
  ProjectPatch,
  ProjectQuery,
  ProjectUpdate,
  RuleCreate,
  RuleListQuery,
  RulePatch,
  RuleQuery,
  RuleUpdate,
  Value,
  ValueCreate,
  ValueListQuery,
  ValueQuery,
  ValueUpdate,
} from '@strata/contract';
import { apiPath, type QueryOf, type Wish } from './paths.ts';
import { Resource, type Sender } from './resource.ts';
import type { Answer } from './transport.ts';

export function environments(sender: Sender) {
  return new Resource<
    Environment,
    QueryOf<EnvironmentListQuery>,
    Wish<EnvironmentCreate, 'name'>,
    EnvironmentUpdate,
    EnvironmentPatch,
    QueryOf<EnvironmentQuery>
  >(sender, apiPath`/environments/`);
}

export function projects(sender: Sender) {
  return new Resource<
    Project,
    QueryOf<ProjectListQuery>,
    Wish<ProjectCreate, 'name'>,
    ProjectUpdate,
    ProjectPatch,
    QueryOf<ProjectQuery>
  >(sender, apiPath`/projects/`);
}

export function parameters(sender: Sender, project: string) {
  return new Resource<
    Parameter,
    QueryOf<ParameterListQuery>,
    Wish<ParameterCreate, 'name'>,
    ParameterUpdate,
    ParameterPatch,
    QueryOf<ParameterQuery>
  >(sender, apiPath`/projects/${project}/parameters/`);
}

export function values(sender: Sender, project: string, parameter: string) {
  return new Resource<Value, QueryOf<ValueListQuery>, ValueCreate, ValueUpdate, ValueUpdate, QueryOf<ValueQuery>>(
    sender,
    apiPath`/projects/${project}/parameters/${parameter}/values/`,
  );
}

/** What a project shows in an environment, with ETag and revision. */
export function effective(
  sender: Sender,
  project: string,
  query: QueryOf<EffectiveQuery> = {},
  { ifNoneMatch }: { readonly ifNoneMatch?: string } = {},
): Promise<Answer<Effective>> {
  return sender.send({ method: 'GET', path: apiPath`/projects/${project}/effective/`, query, ifNoneMatch });
}

export function types(sender: Sender) {
  return new Resource<
    ParameterType,
    QueryOf<ParameterTypeListQuery>,
    Wish<ParameterTypeCreate, 'name' | 'parent'>,
    ParameterTypeUpdate,
    ParameterTypePatch,
    QueryOf<ParameterTypeQuery>
  >(sender, apiPath`/types/`);
}

export function rules<Rule>(sender: Sender, collection: string) {
  return new Resource<Rule, QueryOf<RuleListQuery>, RuleCreate, RuleUpdate, RulePatch, QueryOf<RuleQuery>>(
    sender,
    collection,
  );
}
