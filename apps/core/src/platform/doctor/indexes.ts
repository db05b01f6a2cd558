/** The indexes of the current schema that belong to no constraint, with the statements that create them. A test compares them with a migrated database. */
export const INDEXES: Readonly<Record<string, string>> = {
  access_log_at: 'CREATE INDEX access_log_at ON access_log USING btree (organization_id, at)',
  access_log_number_of: 'CREATE UNIQUE INDEX access_log_number_of ON access_log USING btree (organization_id, number)',
  access_log_once:
    "CREATE UNIQUE INDEX access_log_once ON access_log USING btree (organization_id, actor_id, date_trunc('minute'::text, (at AT TIME ZONE 'utc'::text)), bucket) WHERE (bucket IS NOT NULL)",
  access_request_of_grant:
    'CREATE INDEX access_request_of_grant ON access_request USING btree (organization_id, grant_id)',
  access_request_of_membership:
    'CREATE INDEX access_request_of_membership ON access_request USING btree (organization_id, membership_id)',
  access_request_on_environment:
    'CREATE INDEX access_request_on_environment ON access_request USING btree (organization_id, environment_id)',
  access_request_on_project:
    'CREATE INDEX access_request_on_project ON access_request USING btree (organization_id, project_id)',
  change_action: 'CREATE INDEX change_action ON change USING btree (organization_id, action, revision, ordinal)',
  change_environment:
    'CREATE INDEX change_environment ON change USING btree (organization_id, environment_id, revision, ordinal) WHERE (environment_id IS NOT NULL)',
  change_object_id:
    'CREATE INDEX change_object_id ON change USING btree (organization_id, object_id, revision, ordinal)',
  change_of_people:
    "CREATE INDEX change_of_people ON change USING btree (organization_id, revision) WHERE (object_type <> ALL (ARRAY['Parameter'::text, 'Value'::text]))",
  change_parameter:
    'CREATE INDEX change_parameter ON change USING btree (organization_id, parameter_id, revision, ordinal) WHERE (parameter_id IS NOT NULL)',
  change_project:
    'CREATE INDEX change_project ON change USING btree (organization_id, project_id, revision, ordinal) WHERE (project_id IS NOT NULL)',
  change_type: 'CREATE INDEX change_type ON change USING btree (organization_id, object_type, revision, ordinal)',
  changeset_actor: 'CREATE INDEX changeset_actor ON changeset USING btree (organization_id, actor_id, revision)',
  changeset_at: 'CREATE UNIQUE INDEX changeset_at ON changeset USING btree (organization_id, at)',
  changeset_changes: 'CREATE INDEX changeset_changes ON changeset USING btree (organization_id, changes)',
  delivery_latest:
    'CREATE INDEX delivery_latest ON delivery USING btree (organization_id, webhook_id, created_at DESC)',
  delivery_open:
    "CREATE UNIQUE INDEX delivery_open ON delivery USING btree (organization_id, webhook_id) WHERE ((kind = 'change'::text) AND (status = ANY (ARRAY['queued'::text, 'sending'::text, 'retrying'::text])))",
  delivery_of_destination:
    'CREATE INDEX delivery_of_destination ON delivery USING btree (organization_id, destination_id, created_at DESC) WHERE (destination_id IS NOT NULL)',
  delivery_open_to_destination:
    "CREATE UNIQUE INDEX delivery_open_to_destination ON delivery USING btree (organization_id, destination_id) WHERE ((kind = 'change'::text) AND (status = ANY (ARRAY['queued'::text, 'sending'::text, 'retrying'::text])))",
  delivery_waiting:
    "CREATE INDEX delivery_waiting ON delivery USING btree (organization_id, destination_id, created_at) WHERE ((destination_id IS NOT NULL) AND (status = ANY (ARRAY['queued'::text, 'sending'::text, 'retrying'::text])))",
  destination_notice: 'CREATE INDEX destination_notice ON destination USING btree (organization_id) WHERE notice_due',
  environment_parent_id: 'CREATE INDEX environment_parent_id ON environment USING btree (organization_id, parent_id)',
  environment_single_root:
    'CREATE UNIQUE INDEX environment_single_root ON environment USING btree (organization_id) WHERE (parent_id IS NULL)',
  exchange_project_id: 'CREATE INDEX exchange_project_id ON exchange_project USING btree (organization_id, project_id)',
  exchange_single_mapped:
    "CREATE UNIQUE INDEX exchange_single_mapped ON exchange USING btree (organization_id, integration_id) WHERE (mode = 'mapped'::text)",
  exchange_tag_id: 'CREATE INDEX exchange_tag_id ON exchange_tag USING btree (organization_id, tag_id)',
  expiry_reminder_expires: 'CREATE INDEX expiry_reminder_expires ON expiry_reminder USING btree (expires_at)',
  grant_of_group: 'CREATE INDEX grant_of_group ON access_grant USING btree (organization_id, group_id)',
  grant_of_membership: 'CREATE INDEX grant_of_membership ON access_grant USING btree (organization_id, membership_id)',
  grant_on_environment:
    'CREATE INDEX grant_on_environment ON access_grant USING btree (organization_id, environment_id)',
  group_member_of: 'CREATE INDEX group_member_of ON group_member USING btree (organization_id, membership_id)',
  idempotency_key_at: 'CREATE INDEX idempotency_key_at ON idempotency_key USING btree (organization_id, at)',
  instance_scope: 'CREATE INDEX instance_scope ON instance USING btree (organization_id, project_id, environment_id)',
  invitation_email_taken:
    "CREATE UNIQUE INDEX invitation_email_taken ON invitation USING btree (organization_id, lower(email)) WHERE (state <> 'accepted'::text)",
  invitation_id: 'CREATE UNIQUE INDEX invitation_id ON invitation USING btree (id)',
  issuer_subject_person: 'CREATE INDEX issuer_subject_person ON issuer_subject USING btree (person_id)',
  last_read_account: 'CREATE INDEX last_read_account ON last_read USING btree (organization_id, account_id)',
  membership_person: 'CREATE INDEX membership_person ON membership USING btree (person_id)',
  parameter_expires:
    'CREATE INDEX parameter_expires ON parameter USING btree (organization_id) WHERE (expires IS NOT NULL)',
  parameter_history_project:
    'CREATE INDEX parameter_history_project ON parameter_history USING btree (organization_id, project_id, revision_to)',
  parameter_rule_history_parameter:
    'CREATE INDEX parameter_rule_history_parameter ON parameter_rule_history USING btree (organization_id, parameter_id, revision_to)',
  parameter_special_name:
    'CREATE INDEX parameter_special_name ON parameter USING btree (organization_id, project_id) WHERE (octet_length(name) <> length(name))',
  parameter_type_id: 'CREATE INDEX parameter_type_id ON parameter USING btree (organization_id, type_id)',
  parameter_type_parent_id:
    'CREATE INDEX parameter_type_parent_id ON parameter_type USING btree (organization_id, parent_id)',
  parameter_type_rule_history_type:
    'CREATE INDEX parameter_type_rule_history_type ON parameter_type_rule_history USING btree (organization_id, type_id, revision_to)',
  person_email_taken:
    "CREATE UNIQUE INDEX person_email_taken ON person USING btree (lower(email)) WHERE (type = 'interactive'::text)",
  project_depends_on_id: 'CREATE INDEX project_depends_on_id ON project USING btree (organization_id, depends_on_id)',
  project_special_name:
    'CREATE INDEX project_special_name ON project USING btree (organization_id) WHERE (octet_length(name) <> length(name))',
  reference_history_target_template:
    'CREATE INDEX reference_history_target_template ON reference_history USING btree (organization_id, target_template_id, revision_to)',
  reference_history_template:
    'CREATE INDEX reference_history_template ON reference_history USING btree (organization_id, template_id, revision_to)',
  reference_history_value:
    'CREATE INDEX reference_history_value ON reference_history USING btree (organization_id, value_id, revision_to)',
  reference_name: 'CREATE INDEX reference_name ON reference USING btree (organization_id, project_id, name)',
  reference_of_template: 'CREATE INDEX reference_of_template ON reference USING btree (organization_id, template_id)',
  reference_of_value: 'CREATE INDEX reference_of_value ON reference USING btree (organization_id, value_id)',
  reference_parameter:
    'CREATE INDEX reference_parameter ON reference USING btree (organization_id, target_parameter_id)',
  reference_target_template:
    'CREATE INDEX reference_target_template ON reference USING btree (organization_id, target_template_id)',
  rights_version_valid:
    'CREATE INDEX rights_version_valid ON rights_version USING btree (organization_id, object_type, revision_to)',
  rotation_due:
    'CREATE INDEX rotation_due ON rotation USING btree (next_attempt_at) WHERE ((stop_code IS NULL) AND (held_because IS NULL))',
  rotation_environment_id:
    'CREATE INDEX rotation_environment_id ON rotation USING btree (organization_id, environment_id)',
  rotation_push_key_key:
    'CREATE INDEX rotation_push_key_key ON rotation_push_key USING btree (organization_id, push_id, store, key)',
  session_expiry: 'CREATE INDEX session_expiry ON session USING btree (expires_at)',
  session_key:
    'CREATE INDEX session_key ON session USING btree (organization_id, key_prefix) WHERE (key_prefix IS NOT NULL)',
  session_person: 'CREATE INDEX session_person ON session USING btree (person_id, created_at)',
  session_trust_rule:
    'CREATE INDEX session_trust_rule ON session USING btree (organization_id, trust_rule_id) WHERE (trust_rule_id IS NOT NULL)',
  sign_in_code_organization: 'CREATE INDEX sign_in_code_organization ON sign_in_code USING btree (organization_id)',
  sign_in_failure_latest: 'CREATE INDEX sign_in_failure_latest ON sign_in_failure USING btree (latest_at)',
  sync_key_owner:
    'CREATE UNIQUE INDEX sync_key_owner ON sync_key USING btree (organization_id, store, key) WHERE is_owned',
  sync_key_origin_parameter:
    'CREATE INDEX sync_key_origin_parameter ON sync_key_origin USING btree (organization_id, parameter_id)',
  sync_key_parameter: 'CREATE INDEX sync_key_parameter ON sync_key USING btree (organization_id, parameter_id)',
  task_waiting:
    "CREATE INDEX task_waiting ON task USING btree (next_attempt_at) WHERE (state = ANY (ARRAY['queued'::text, 'running'::text]))",
  task_latest: 'CREATE INDEX task_latest ON task USING btree (organization_id, exchange_id, created_at DESC)',
  task_step_environment:
    'CREATE INDEX task_step_environment ON task_step USING btree (organization_id, environment_id, created_at DESC)',
  task_step_of_task: 'CREATE INDEX task_step_of_task ON task_step USING btree (organization_id, task_id)',
  task_step_parameter:
    'CREATE INDEX task_step_parameter ON task_step USING btree (organization_id, parameter_id) WHERE (parameter_id IS NOT NULL)',
  template_history_project:
    'CREATE INDEX template_history_project ON template_history USING btree (organization_id, project_id, revision_to)',
  template_special_name:
    'CREATE INDEX template_special_name ON template USING btree (organization_id, project_id) WHERE (octet_length(name) <> length(name))',
  temporary_grant_expires: 'CREATE INDEX temporary_grant_expires ON temporary_grant USING btree (expires_at)',
  temporary_grant_of_group:
    'CREATE INDEX temporary_grant_of_group ON temporary_grant USING btree (organization_id, group_id)',
  temporary_grant_of_membership:
    'CREATE INDEX temporary_grant_of_membership ON temporary_grant USING btree (organization_id, membership_id)',
  temporary_grant_on_environment:
    'CREATE INDEX temporary_grant_on_environment ON temporary_grant USING btree (organization_id, environment_id)',
  temporary_grant_on_project:
    'CREATE INDEX temporary_grant_on_project ON temporary_grant USING btree (organization_id, project_id)',
  trust_rule_account: 'CREATE INDEX trust_rule_account ON trust_rule USING btree (organization_id, person_id)',
  trust_rule_issuer: 'CREATE INDEX trust_rule_issuer ON trust_rule USING btree (issuer, audience)',
  used_id_token_expiry: 'CREATE INDEX used_id_token_expiry ON used_id_token USING btree (expires_at)',
  value_environment_id: 'CREATE INDEX value_environment_id ON value USING btree (organization_id, environment_id)',
  value_external: 'CREATE INDEX value_external ON value USING btree (organization_id) WHERE (source IS NOT NULL)',
  value_history_interpolated:
    'CREATE INDEX value_history_interpolated ON value_history USING btree (organization_id, revision_to) WHERE interpolated',
  value_history_parameter:
    'CREATE INDEX value_history_parameter ON value_history USING btree (organization_id, parameter_id, revision_to)',
  value_interpolated: 'CREATE INDEX value_interpolated ON value USING btree (organization_id) WHERE interpolated',
};
