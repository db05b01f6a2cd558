import type {
  AuthToken,
  Delivery,
  DeliveryListQuery,
  Effective,
  EffectiveQuery,
  Environment,
  EnvironmentCreate,
  EnvironmentListQuery,
  EnvironmentPatch,
  EnvironmentQuery,
  EnvironmentUpdate,
  ExploreQuery,
  Features,
  Grant,
  GrantCreate,
  GrantListQuery,
  GrantMultiQuery,
  GrantPatch,
  GrantUpdate,
  Group,
  GroupCreate,
  GroupListQuery,
  GroupPatch,
  GroupUpdate,
  Invitation,
  InvitationAccept,
  InvitationCreate,
  InvitationCreated,
  InvitationListQuery,
  InvitationPatch,
  Membership,
  MembershipCreate,
  MembershipListQuery,
  MembershipPatch,
  Organization,
  OrganizationCreate,
  OrganizationListQuery,
  OrganizationPatch,
  Page,
  Parameter,
  ParameterCreate,
  ParameterDualityQuery,
  ParameterExport,
  ParameterExportQuery,
  ParameterListQuery,
  ParameterPatch,
  ParameterQuery,
  ParameterRule,
  ParameterType,
  ParameterTypeCreate,
  ParameterTypeListQuery,
  ParameterTypePatch,
  ParameterTypeQuery,
  ParameterTypeRule,
  ParameterTypeUpdate,
  ParameterUpdate,
  Project,
  ProjectCreate,
  ProjectListQuery,
  ProjectPatch,
  ProjectQuery,
  ProjectUpdate,
  ProviderName,
  RuleCreate,
  RuleListQuery,
  RulePatch,
  RuleQuery,
  RuleUpdate,
  ServiceAccount,
  ServiceAccountCreate,
  ServiceAccountCreated,
  ServiceAccountListQuery,
  ServiceAccountUpdate,
  Template,
  TemplateCreate,
  TemplateListQuery,
  TemplatePatch,
  TemplatePreview,
  TemplatePreviewQuery,
  TemplatePreviewRequest,
  TemplateQuery,
  TemplateUpdate,
  User,
  UserListQuery,
  Value,
  ValueCreate,
  ValueListQuery,
  ValueQuery,
  ValueUpdate,
  Webhook,
  WebhookCreate,
  WebhookListQuery,
  WebhookPatch,
  WebhookUpdate,
} from '@strata/contract';
import { Audit, duality, tags, timelines } from './history.ts';
import { explore, integrations } from './integrations.ts';
import { apiPath, type QueryOf } from './paths.ts';
import { Resource, type Sender } from './resource.ts';
import { transfer } from './transfer.ts';
import type { Answer } from './transport.ts';

/** A body as a caller writes it: what the schema fills in may be left out. */
type Wish<T, Required extends keyof T> = Pick<T, Required> & Partial<Omit<T, Required>>;

/** One member per noun of the API; all share the caller's credential. */
export function resources(sender: Sender) {
  return {
    environments: environments(sender),
    tags: (environment: string) => tags(sender, environment),
    audit: new Audit(sender, apiPath`/audit/`),
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
    /** The lines of a file of environment variables. */
    parameterExport: (project: string, query: QueryOf<ParameterExportQuery> & Pick<ParameterExportQuery, 'output'>) =>
      sender.body<ParameterExport>({ method: 'GET', path: apiPath`/projects/${project}/parameter-export/`, query }),
    webhooks: webhooks(sender),
    users: users(sender),
    memberships: new Resource<
      Membership,
      QueryOf<MembershipListQuery>,
      MembershipCreate,
      MembershipPatch,
      MembershipPatch
    >(sender, apiPath`/memberships/`),
    serviceAccounts: new ServiceAccounts(sender, apiPath`/serviceaccounts/`),
    organizations: new Resource<
      Organization,
      QueryOf<OrganizationListQuery>,
      Wish<OrganizationCreate, 'name'>,
      OrganizationPatch,
      OrganizationPatch
    >(sender, apiPath`/organizations/`),
    invitations: new Invitations(sender, apiPath`/invitations/`),
    groups: new Groups(sender, apiPath`/groups/`),
    grants: new Grants(sender, apiPath`/grants/`),
    integrations: (provider: ProviderName) => integrations(sender, provider),
    explore: (query: QueryOf<ExploreQuery> = {}) => explore(sender, query),
    transfer: transfer(sender),
    auth: auth(sender),
    features: () => sender.body<Features>({ method: 'GET', path: apiPath`/features/` }),
    effective: (
      project: string,
      query: QueryOf<EffectiveQuery> = {},
      { ifNoneMatch }: { readonly ifNoneMatch?: string } = {},
    ): Promise<Answer<Effective>> =>
      sender.send({ method: 'GET', path: apiPath`/projects/${project}/effective/`, query, ifNoneMatch }),
  };
}

function environments(sender: Sender) {
  return new Resource<
    Environment,
    QueryOf<EnvironmentListQuery>,
    Wish<EnvironmentCreate, 'name'>,
    EnvironmentUpdate,
    EnvironmentPatch,
    QueryOf<EnvironmentQuery>
  >(sender, apiPath`/environments/`);
}

function projects(sender: Sender) {
  return new Resource<
    Project,
    QueryOf<ProjectListQuery>,
    Wish<ProjectCreate, 'name'>,
    ProjectUpdate,
    ProjectPatch,
    QueryOf<ProjectQuery>
  >(sender, apiPath`/projects/`);
}

function parameters(sender: Sender, project: string) {
  return new Resource<
    Parameter,
    QueryOf<ParameterListQuery>,
    Wish<ParameterCreate, 'name'>,
    ParameterUpdate,
    ParameterPatch,
    QueryOf<ParameterQuery>
  >(sender, apiPath`/projects/${project}/parameters/`);
}

function values(sender: Sender, project: string, parameter: string) {
  return new Resource<Value, QueryOf<ValueListQuery>, ValueCreate, ValueUpdate, ValueUpdate, QueryOf<ValueQuery>>(
    sender,
    apiPath`/projects/${project}/parameters/${parameter}/values/`,
  );
}

function types(sender: Sender) {
  return new Resource<
    ParameterType,
    QueryOf<ParameterTypeListQuery>,
    Wish<ParameterTypeCreate, 'name' | 'parent'>,
    ParameterTypeUpdate,
    ParameterTypePatch,
    QueryOf<ParameterTypeQuery>
  >(sender, apiPath`/types/`);
}

function rules<Rule>(sender: Sender, collection: string) {
  return new Resource<Rule, QueryOf<RuleListQuery>, RuleCreate, RuleUpdate, RulePatch, QueryOf<RuleQuery>>(
    sender,
    collection,
  );
}

class Templates extends Resource<
  Template,
  QueryOf<TemplateListQuery>,
  Wish<TemplateCreate, 'name'>,
  TemplateUpdate,
  TemplatePatch,
  QueryOf<TemplateQuery>
> {
  constructor(
    sender: Sender,
    private readonly project: string,
  ) {
    super(sender, apiPath`/projects/${project}/templates/`);
  }

  /** What a text would render to; nothing is stored. */
  preview(body: TemplatePreviewRequest, query: QueryOf<TemplatePreviewQuery> = {}): Promise<TemplatePreview> {
    const path = apiPath`/projects/${this.project}/template-preview/`;
    return this.sender.body({ method: 'POST', path, body, query });
  }
}

function templates(sender: Sender, project: string) {
  return new Templates(sender, project);
}

class Webhooks extends Resource<Webhook, QueryOf<WebhookListQuery>, WebhookCreate, WebhookUpdate, WebhookPatch> {
  deliveries(id: string, query: QueryOf<DeliveryListQuery> = {}): Promise<Page<Delivery>> {
    return this.sender.body({ method: 'GET', path: apiPath`/webhooks/${id}/deliveries/`, query });
  }

  /** Sends a message now and tells what the chat service said. */
  test(id: string): Promise<Delivery> {
    return this.sender.body({ method: 'POST', path: apiPath`/webhooks/${id}/test/`, body: {} });
  }

  redeliver(id: string, delivery: string): Promise<Delivery> {
    return this.sender.body({
      method: 'POST',
      path: apiPath`/webhooks/${id}/deliveries/${delivery}/redeliver/`,
      body: {},
    });
  }

  /** Lets a suspended webhook send again. */
  enable(id: string): Promise<Webhook> {
    return this.sender.body({ method: 'POST', path: apiPath`/webhooks/${id}/enable/`, body: {} });
  }
}

function webhooks(sender: Sender) {
  return new Webhooks(sender, apiPath`/webhooks/`);
}

class Users extends Resource<User, QueryOf<UserListQuery>> {
  /** The caller. */
  current(): Promise<User> {
    return this.sender.body({ method: 'GET', path: apiPath`/users/current/` });
  }
}

function users(sender: Sender) {
  return new Users(sender, apiPath`/users/`);
}

class ServiceAccounts extends Resource<
  ServiceAccount,
  QueryOf<ServiceAccountListQuery>,
  Wish<ServiceAccountCreate, 'name'>,
  ServiceAccountUpdate,
  ServiceAccountUpdate,
  Record<string, never>,
  ServiceAccountCreated
> {
  /** A new key in place of the old one, shown once. */
  rekey(id: string, expireAt: string | null = null): Promise<ServiceAccountCreated> {
    const body = { expire_at: expireAt };
    return this.sender.body({ method: 'POST', path: apiPath`/serviceaccounts/${id}/rekey/`, body });
  }
}

class Invitations extends Resource<
  Invitation,
  QueryOf<InvitationListQuery>,
  InvitationCreate,
  InvitationPatch,
  InvitationPatch,
  Record<string, never>,
  InvitationCreated
> {
  /** As the invited person; without an account, with the token and a password. */
  accept(id: string, body: InvitationAccept = {}): Promise<Invitation> {
    return this.sender.body({ method: 'POST', path: apiPath`/invitations/${id}/accept/`, body });
  }

  /** A new token in place of the old one, shown once. */
  resend(id: string): Promise<InvitationCreated> {
    return this.sender.body({ method: 'POST', path: apiPath`/invitations/${id}/resend/`, body: {} });
  }
}

class Groups extends Resource<
  Group,
  QueryOf<GroupListQuery>,
  Wish<GroupCreate, 'name' | 'users'>,
  GroupUpdate,
  GroupPatch
> {
  add(id: string, user: string): Promise<Group> {
    return this.sender.body({ method: 'POST', path: apiPath`/groups/${id}/add/`, query: { user }, body: {} });
  }

  remove(id: string, user: string): Promise<Group> {
    return this.sender.body({ method: 'POST', path: apiPath`/groups/${id}/remove/`, query: { user }, body: {} });
  }
}

class Grants extends Resource<Grant, QueryOf<GrantListQuery>, GrantCreate, GrantUpdate, GrantPatch> {
  /** All that match, or none; answers one of them. */
  deleteMatching(query: QueryOf<GrantMultiQuery>): Promise<Grant> {
    return this.sender.body({ method: 'DELETE', path: apiPath`/grants/multi/`, query });
  }
}

function auth(sender: Sender) {
  return {
    /** With e-mail and password: signs in. With an organization alone: exchanges the caller's token for one there. */
    token: (
      request:
        | { readonly email: string; readonly password: string; readonly organization?: string }
        | { readonly organization: string },
    ): Promise<AuthToken> => sender.body({ method: 'POST', path: apiPath`/auth/token/`, body: request }),
  };
}
