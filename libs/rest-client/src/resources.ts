import type {
  EffectiveQuery,
  ExploreQuery,
  Features,
  ParameterDualityQuery,
  ParameterExportQuery,
  ParameterRule,
  ParameterTypeRule,
  ProviderName,
} from '@strata/contract';
import { effective, environments, parameters, projects, rules, types, values } from './configuration.ts';
import { audit, duality, tags, timelines } from './history.ts';
import { explore, integrations } from './integrations.ts';
import { apiPath, type QueryOf } from './paths.ts';
import { auth, memberships, organizations, serviceAccounts, users } from './people.ts';
import type { Sender } from './resource.ts';
import { grants, groups, invitations } from './rights.ts';
import { parameterExport, templates } from './templates.ts';
import { transfer } from './transfer.ts';
import { webhooks } from './webhooks.ts';

/** One member per noun of the API; all share the caller's credential. */
export function resources(sender: Sender) {
  return {
    environments: environments(sender),
    tags: (environment: string) => tags(sender, environment),
    audit: audit(sender),
    projects: projects(sender),
    parameters: (project: string) => parameters(sender, project),
    duality: (project: string, query?: QueryOf<ParameterDualityQuery>) => duality(sender, project, query),
    timelines: (project: string) => timelines(sender, project),
    values: (project: string, parameter: string) => values(sender, project, parameter),
    types: types(sender),
    typeRules: (type: string) => rules<ParameterTypeRule>(sender, apiPath`/types/${type}/rules/`),
    parameterRules: (project: string, parameter: string) =>
      rules<ParameterRule>(sender, apiPath`/projects/${project}/parameters/${parameter}/rules/`),
    templates: (project: string) => templates(sender, project),
    parameterExport: (project: string, query: QueryOf<ParameterExportQuery> & Pick<ParameterExportQuery, 'output'>) =>
      parameterExport(sender, project, query),
    webhooks: webhooks(sender),
    users: users(sender),
    memberships: memberships(sender),
    serviceAccounts: serviceAccounts(sender),
    organizations: organizations(sender),
    invitations: invitations(sender),
    groups: groups(sender),
    grants: grants(sender),
    integrations: (provider: ProviderName) => integrations(sender, provider),
    explore: (query: QueryOf<ExploreQuery> = {}) => explore(sender, query),
    transfer: transfer(sender),
    auth: auth(sender),
    features: () => sender.body<Features>({ method: 'GET', path: apiPath`/features/` }),
    effective: (project: string, query?: QueryOf<EffectiveQuery>, condition?: { readonly ifNoneMatch?: string }) =>
      effective(sender, project, query, condition),
  };
}
