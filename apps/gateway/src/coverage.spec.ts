import { OPERATIONS, type Operation, PROVIDERS } from '@strata/contract';
import { type GraphQLNamedType, type GraphQLSchema, getNamedType, isInputObjectType, isObjectType } from 'graphql';
import { z } from 'zod';
import { camel, nameOfLink } from './graphql/slots.ts';
import { buildSchema } from './schema.ts';

/**
 * Every operation of the REST API and the GraphQL field that reaches it. PUT and PATCH are one mutation: what is left
 * out of an input stays. `setValue` makes or changes, whichever is due.
 */
const FIELDS: Readonly<Record<string, string>> = {
  // environments and tags
  environments_list: 'Query.environments',
  environments_retrieve: 'Query.environment',
  environments_create: 'Mutation.createEnvironment',
  environments_update: 'Mutation.updateEnvironment',
  environments_partial_update: 'Mutation.updateEnvironment',
  environments_destroy: 'Mutation.deleteEnvironment',
  environments_copy_create: 'Mutation.copyEnvironment',
  environments_tags_list: 'Environment.tags',
  environments_tags_retrieve: 'Query.tag',
  environments_tags_create: 'Mutation.createTag',
  environments_tags_update: 'Mutation.updateTag',
  environments_tags_partial_update: 'Mutation.updateTag',
  environments_tags_destroy: 'Mutation.deleteTag',
  environments_pushes_list: 'Environment.pushSteps',
  // projects
  projects_list: 'Query.projects',
  projects_retrieve: 'Query.project',
  projects_create: 'Mutation.createProject',
  projects_update: 'Mutation.updateProject',
  projects_partial_update: 'Mutation.updateProject',
  projects_destroy: 'Mutation.deleteProject',
  projects_copy_create: 'Mutation.copyProject',
  projects_effective_retrieve: 'Query.effective',
  projects_parameter_export_list: 'Project.export',
  // parameters, rules and values
  projects_parameters_list: 'Project.parameters',
  projects_parameters_retrieve: 'Query.parameter',
  projects_parameters_create: 'Mutation.createParameter',
  projects_parameters_update: 'Mutation.updateParameter',
  projects_parameters_partial_update: 'Mutation.updateParameter',
  projects_parameters_destroy: 'Mutation.deleteParameter',
  projects_parameters_copy_create: 'Mutation.copyParameter',
  projects_parameters_pushes_list: 'Parameter.pushSteps',
  projects_parameters_rules_list: 'Query.parameterRules',
  projects_parameters_rules_retrieve: 'Query.parameterRule',
  projects_parameters_rules_create: 'Mutation.createParameterRule',
  projects_parameters_rules_update: 'Mutation.updateParameterRule',
  projects_parameters_rules_partial_update: 'Mutation.updateParameterRule',
  projects_parameters_rules_destroy: 'Mutation.deleteParameterRule',
  projects_parameters_values_list: 'Query.values',
  projects_parameters_values_retrieve: 'Query.value',
  projects_parameters_values_create: 'Mutation.setValue',
  projects_parameters_values_update: 'Mutation.setValue',
  projects_parameters_values_partial_update: 'Mutation.setValue',
  projects_parameters_values_destroy: 'Mutation.unsetValue',
  // types
  types_list: 'Query.types',
  types_retrieve: 'Query.type',
  types_create: 'Mutation.createParameterType',
  types_update: 'Mutation.updateParameterType',
  types_partial_update: 'Mutation.updateParameterType',
  types_destroy: 'Mutation.deleteParameterType',
  types_rules_list: 'Query.parameterTypeRules',
  types_rules_retrieve: 'Query.parameterTypeRule',
  types_rules_create: 'Mutation.createParameterTypeRule',
  types_rules_update: 'Mutation.updateParameterTypeRule',
  types_rules_partial_update: 'Mutation.updateParameterTypeRule',
  types_rules_destroy: 'Mutation.deleteParameterTypeRule',
  // templates
  projects_templates_list: 'Project.templates',
  projects_templates_retrieve: 'Query.template',
  projects_templates_create: 'Mutation.createTemplate',
  projects_templates_update: 'Mutation.updateTemplate',
  projects_templates_partial_update: 'Mutation.updateTemplate',
  projects_templates_destroy: 'Mutation.deleteTemplate',
  projects_template_preview_create: 'Query.templatePreview',
  // history
  audit_list: 'Query.audit',
  audit_retrieve: 'Query.auditTrail',
  audit_summary_retrieve: 'Query.auditSummary',
  projects_parameters_duality_list: 'Project.compare',
  projects_parameters_timelines_retrieve: 'Project.parameterTimeline',
  projects_parameters_timeline_retrieve: 'Parameter.timeline',
  projects_templates_timelines_retrieve: 'Project.templateTimeline',
  projects_templates_timeline_retrieve: 'Template.timeline',
  // people
  auth_token_create: 'Mutation.signIn',
  users_current_retrieve: 'Query.viewer',
  users_list: 'Query.users',
  users_retrieve: 'Query.user',
  users_destroy: 'Mutation.deleteUser',
  organizations_list: 'Query.organizations',
  organizations_retrieve: 'Query.organization',
  organizations_create: 'Mutation.createOrganization',
  organizations_update: 'Mutation.updateOrganization',
  organizations_partial_update: 'Mutation.updateOrganization',
  organizations_destroy: 'Mutation.deleteOrganization',
  memberships_list: 'Query.memberships',
  memberships_retrieve: 'Query.membership',
  memberships_create: 'Mutation.createMembership',
  memberships_update: 'Mutation.updateMembership',
  memberships_partial_update: 'Mutation.updateMembership',
  memberships_destroy: 'Mutation.deleteMembership',
  invitations_list: 'Query.invitations',
  invitations_retrieve: 'Query.invitation',
  invitations_create: 'Mutation.createInvitation',
  invitations_update: 'Mutation.updateInvitation',
  invitations_partial_update: 'Mutation.updateInvitation',
  invitations_destroy: 'Mutation.deleteInvitation',
  invitations_accept_create: 'Mutation.acceptInvitation',
  invitations_resend_create: 'Mutation.resendInvitation',
  serviceaccounts_list: 'Query.serviceAccounts',
  serviceaccounts_retrieve: 'Query.serviceAccount',
  serviceaccounts_create: 'Mutation.createServiceAccount',
  serviceaccounts_update: 'Mutation.updateServiceAccount',
  serviceaccounts_partial_update: 'Mutation.updateServiceAccount',
  serviceaccounts_destroy: 'Mutation.deleteServiceAccount',
  serviceaccounts_rekey_create: 'Mutation.rekeyServiceAccount',
  // rights
  groups_list: 'Query.groups',
  groups_retrieve: 'Query.group',
  groups_create: 'Mutation.createGroup',
  groups_update: 'Mutation.updateGroup',
  groups_partial_update: 'Mutation.updateGroup',
  groups_destroy: 'Mutation.deleteGroup',
  groups_add_create: 'Mutation.addToGroup',
  groups_remove_create: 'Mutation.removeFromGroup',
  grants_list: 'Query.grants',
  grants_retrieve: 'Query.grant',
  grants_create: 'Mutation.createGrant',
  grants_update: 'Mutation.updateGrant',
  grants_partial_update: 'Mutation.updateGrant',
  grants_destroy: 'Mutation.deleteGrant',
  grants_multi_destroy: 'Mutation.deleteGrants',
  // transfer and utilities
  import_create: 'Mutation.importParameters',
  backup_snapshot_create: 'Mutation.backupSnapshot',
  utils_generate_password_create: 'Mutation.generatePassword',
  features_retrieve: 'Query.features',
  // news
  events_list: 'Query.changesAfter',
  events_stream: 'Subscription.changes',
  webhooks_list: 'Query.webhooks',
  webhooks_retrieve: 'Query.webhook',
  webhooks_create: 'Mutation.createWebhook',
  webhooks_update: 'Mutation.updateWebhook',
  webhooks_partial_update: 'Mutation.updateWebhook',
  webhooks_destroy: 'Mutation.deleteWebhook',
  webhooks_enable_create: 'Mutation.enableWebhook',
  webhooks_test_create: 'Mutation.testWebhook',
  webhooks_deliveries_list: 'Webhook.deliveries',
  webhooks_deliveries_retrieve: 'Query.delivery',
  webhooks_deliveries_redeliver_create: 'Mutation.redeliver',
  integrations_explore_list: 'Query.exploreIntegrations',
};

/** The same for what the REST API has once per provider, and GraphQL once; keys follow `integrations_<provider>`. */
const FIELDS_OF_PROVIDERS: Readonly<Record<string, string>> = {
  _list: 'Query.integrations',
  _retrieve: 'Query.integration',
  _create: 'Mutation.createIntegration',
  _update: 'Mutation.updateIntegration',
  _partial_update: 'Mutation.updateIntegration',
  _destroy: 'Mutation.deleteIntegration',
  _scan_create: 'Mutation.scanIntegration',
  _pulls_list: 'Integration.pulls',
  _pulls_retrieve: 'Query.pull',
  _pulls_create: 'Mutation.createPull',
  _pulls_update: 'Mutation.updatePull',
  _pulls_partial_update: 'Mutation.updatePull',
  _pulls_destroy: 'Mutation.deletePull',
  _pulls_sync_create: 'Mutation.syncPull',
  _pulls_tasks_list: 'Pull.tasks',
  _pulls_tasks_retrieve: 'Query.pullTask',
  _pulls_tasks_steps_list: 'Query.pullTaskSteps',
  _pulls_tasks_steps_retrieve: 'Query.pullTaskStep',
  _pushes_list: 'Integration.pushes',
  _pushes_retrieve: 'Query.push',
  _pushes_create: 'Mutation.createPush',
  _pushes_update: 'Mutation.updatePush',
  _pushes_partial_update: 'Mutation.updatePush',
  _pushes_destroy: 'Mutation.deletePush',
  _pushes_sync_create: 'Mutation.syncPush',
  _pushes_tasks_list: 'Push.tasks',
  _pushes_tasks_retrieve: 'Query.pushTask',
  _pushes_tasks_steps_list: 'Query.pushTaskSteps',
  _pushes_tasks_steps_retrieve: 'Query.pushTaskStep',
};

/** Operations that GraphQL does not have, and why. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  api_schema_retrieve: 'it describes the REST API; GraphQL describes itself by introspection',
};

/** Root fields that no one operation stands behind, and why there are such. */
const OF_GRAPHQL: Readonly<Record<string, string>> = {
  'Query.node': 'finds any object by its `nodeId`',
  'Query.changesCursor': 'the position of `events_list` without its changes',
};

/** Parameters of the REST API that are told in another way, and how. */
const OTHERWISE: Readonly<Record<string, string>> = {
  page: '`first` and `after`',
  page_size: '`first`',
  mask_secrets: '`reveal`, the other way round',
  include: 'the selection',
  exclude: 'the selection',
  values: 'whether values are selected',
  wait: 'the subscription `changes`',
  limit: '`first`',
};

/** The same for single operations: those whose id matches, the parameters or members, and how. */
const OTHERWISE_IN: readonly (readonly [operations: RegExp, keys: readonly string[], how: string])[] = [
  [
    /^projects_parameters_values_(create|update|partial_update)$/,
    ['environment'],
    'the value is shown where it is set',
  ],
  [/^projects_parameters_values_destroy$/, ['evaluate'], 'nothing is shown of what is gone'],
  [/^webhooks_/, ['organization'], 'by contract that of the credential, or refused'],
];

let schema: GraphQLSchema;
beforeAll(async () => {
  schema = await buildSchema();
}, 60_000);

const fieldOf = (id: string): string | undefined => {
  const provider = PROVIDERS.find((name) => id.startsWith(`integrations_${name}`));
  return FIELDS[id] ?? (provider && FIELDS_OF_PROVIDERS[id.slice(`integrations_${provider}`.length)]);
};

function exists(coordinate: string): boolean {
  const [owner = '', field = ''] = coordinate.split('.');
  const type = schema.getType(owner);
  return isObjectType(type) && field in type.getFields();
}

/** Everything that a field takes, as paths: what is in its inputs as `input.tags.name`. */
function takenBy(coordinate: string): Set<string> {
  const [owner = '', field = ''] = coordinate.split('.');
  const type = schema.getType(owner);
  const args = isObjectType(type) ? (type.getFields()[field]?.args ?? []) : [];
  return new Set(args.flatMap(({ name, type: taken }) => [name, ...pathsIn(getNamedType(taken), name)]));
}

function pathsIn(type: GraphQLNamedType, place: string): string[] {
  if (!isInputObjectType(type)) return [];
  return Object.values(type.getFields()).flatMap(({ name, type: inner }) => {
    const path = `${place}.${name}`;
    return [path, ...pathsIn(getNamedType(inner), path)];
  });
}

/** The members of a body and of the objects in it, as lists of keys. */
function membersOf(body: z.ZodType | undefined): string[][] {
  const schema = body && objectIn(body);
  return Object.entries(schema?.shape ?? {}).flatMap(([key, member]) => [
    [key],
    ...membersOf(member as z.ZodType).map((keys) => [key, ...keys]),
  ]);
}

/** What is wrapped in options, defaults and lists; null for what is no object. */
function objectIn(schema: z.ZodType): z.ZodObject | null {
  if (schema instanceof z.ZodObject) return schema;
  if (schema instanceof z.ZodPipe) return objectIn(schema.out as z.ZodType) ?? objectIn(schema.in as z.ZodType);
  if (schema instanceof z.ZodArray) return objectIn(schema.element as z.ZodType);
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapped ? objectIn(schema.unwrap() as z.ZodType) : null;
}

/** The parameters and members of an operation that its field does not take under the name of the rule. */
function missing({ id, query, body }: Operation): string[] {
  const taken = takenBy(fieldOf(id) ?? '');
  const isTaken = (place: string, keys: readonly string[]) => {
    const key = keys.at(-1) ?? '';
    const above = keys.slice(0, -1).map((name) => `${camel(name)}.`);
    const names = [camel(key), nameOfLink(key, false), nameOfLink(key, true)];
    return names.some((name) => taken.has(place + above.join('') + name));
  };
  const ofQuery = Object.keys(query?.shape ?? {}).filter((key) => !isTaken('', [key]));
  const ofBody = membersOf(body).filter((keys) => !isTaken('input.', keys));
  return [...ofQuery, ...ofBody.map((keys) => keys.join('.'))];
}

/** Whether a table says how something is told in another way: by its key anywhere, or by operation and key. */
const isExcused = (id: string, key: string): boolean =>
  OTHERWISE[key] !== undefined || OTHERWISE_IN.some(([operations, keys]) => operations.test(id) && keys.includes(key));

/** What there is in REST alone, as operation and query parameter or path of a member. */
const missed = (): (readonly [id: string, key: string])[] =>
  OPERATIONS.filter(({ id }) => LEFT_OUT[id] === undefined && fieldOf(id) !== undefined).flatMap((operation) =>
    missing(operation).map((key) => [operation.id, key] as const),
  );

const ids = OPERATIONS.map(({ id }) => id);

describe('GraphQL', () => {
  it('reaches every operation of the REST API, or says why not', () => {
    expect(ids.filter((id) => fieldOf(id) === undefined && LEFT_OUT[id] === undefined)).toEqual([]);
  });

  it('has every field that the table names', () => {
    const named = [...Object.values(FIELDS), ...Object.values(FIELDS_OF_PROVIDERS), ...Object.keys(OF_GRAPHQL)];

    expect([...new Set(named)].filter((coordinate) => !exists(coordinate))).toEqual([]);
  });

  it('names no operation that the REST API does not have', () => {
    const expanded = Object.keys(FIELDS_OF_PROVIDERS).filter((suffix) =>
      PROVIDERS.every((provider) => !ids.includes(`integrations_${provider}${suffix}`)),
    );

    expect([...Object.keys(FIELDS), ...Object.keys(LEFT_OUT)].filter((id) => !ids.includes(id))).toEqual([]);
    expect(expanded).toEqual([]);
  });

  it('takes everything that the operations take, under the same names in its own casing', () => {
    expect(missed().filter(([id, key]) => !isExcused(id, key))).toEqual([]);
  });

  it('needs every line of the tables of what is told in another way', () => {
    const gaps = missed();
    const inGeneral = Object.keys(OTHERWISE).filter((line) => !gaps.some(([, key]) => key === line));
    const inSome = OTHERWISE_IN.flatMap(([operations, keys]) =>
      keys
        .filter((line) => !gaps.some(([id, key]) => key === line && operations.test(id) && !(key in OTHERWISE)))
        .map((line) => `${operations} ${line}`),
    );

    expect([...inGeneral, ...inSome]).toEqual([]);
  });

  it('has no root field without an operation behind it', () => {
    const reached = new Set([...ids.map(fieldOf), ...Object.keys(OF_GRAPHQL)]);
    const roots = ['Query', 'Mutation', 'Subscription'].flatMap((name) => {
      const type = schema.getType(name);
      return isObjectType(type) ? Object.keys(type.getFields()).map((field) => `${name}.${field}`) : [];
    });

    expect(roots.filter((coordinate) => !reached.has(coordinate))).toEqual([]);
  });
});
