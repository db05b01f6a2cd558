/**
 * The members that every response contains although the description declares them as optional. Existing clients were
 * generated from a description that did the same, and they declare these members as pointers. Their programs must still
 * compile with types generated from our description. `x-always-present` lists these members for new clients.
 */
const OPTIONAL_MEMBERS: readonly (readonly [shapes: string, members: string])[] = [
  ['AwsIntegration', 'description writable aws_external_id aws_kms_key_id resource_tags'],
  ['AwsPull AzureKeyVaultPull GitHubPull', 'description create_environments create_projects dry_run'],
  [
    'AwsPullTask AwsPushTask AzureKeyVaultPullTask AzureKeyVaultPushTask GitHubPullTask',
    'reason dry_run state error_code error_detail',
  ],
  [
    'AwsPullTaskStep AwsPushTaskStep AzureKeyVaultPullTaskStep AzureKeyVaultPushTaskStep GitHubPullTaskStep TaskStep',
    'operation success_detail fqn environment_id environment_name project_id project_name parameter_id parameter_name venue_id venue_name summary error_code error_detail',
  ],
  [
    'AwsPush AzureKeyVaultPush',
    'description coerce_parameters include_parameters include_secrets include_templates dry_run force local',
  ],
  ['AzureKeyVaultIntegration', 'description writable resource_tags'],
  ['BackupEnvironment BackupProject', 'parent description'],
  ['BackupExternalReference', 'jmes_path'],
  ['BackupParameter BackupParameterType Group', 'description'],
  ['BackupParameterValue', 'source project value raw'],
  ['Environment', 'description parent access_controlled'],
  ['GitHubIntegration', 'description writable'],
  ['ImportParameter', 'project_id environment_id parameter_id secret value_id'],
  ['IntegrationNode', 'secret name jmespath content_type content_data content_size content_keys venue_id'],
  ['Organization', 'project_name_pattern mfa_enabled notification_config'],
  ['Parameter', 'description secret type expires expiration_action expired_status'],
  ['ParameterTimelineEntry TemplateTimelineEntry', 'modified_by'],
  ['ParameterType', 'description parent'],
  ['Project', 'parameter_name_pattern description depends_on access_controlled'],
  ['ServiceAccount ServiceAccountCreateResponse', 'owner description'],
  ['Tag', 'description immutable'],
  ['TagReadUsage', 'last_read_by'],
  ['Template TemplateTimelineEntryTemplate', 'description body'],
  ['User', 'type'],
  ['Value', 'external external_fqn external_filter internal_value interpolated expires_at'],
];

const byShape: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  OPTIONAL_MEMBERS.flatMap(([shapes, members]) =>
    shapes.split(' ').map((shape) => [shape, new Set(members.split(' '))] as const),
  ),
);

/** Returns whether a member is published as optional. The members of pages always are. */
export function isOptionalMember(shape: string, member: string): boolean {
  return shape.startsWith('Paginated') || (byShape.get(shape)?.has(member) ?? false);
}
