import { z } from 'zod';
import * as audit from './audit.ts';
import { AuditCheckpoint, AuditCheckpointQuery, AuditProof, AuditProofQuery } from './audit-evidence.ts';
import { AuditStreamQuery } from './audit-stream.ts';
import { noun, operation, operations, standardOperations } from './operation.ts';
import { ParameterDualityPage, ParameterDualityQuery } from './parameter-duality.ts';
import { ParameterTimeline, ParameterTimelineQuery, TemplateTimeline, TimelineQuery } from './timeline.ts';

const API = '/api/v1';
const PROJECT = `${API}/projects/{project_pk}`;

const reading = { method: 'get', requires: 'read', status: 200, errorStatuses: [] } as const;
const timeline = { ...reading, tag: 'projects', query: TimelineQuery } as const;

export const AUDIT = noun({
  tag: 'audit',
  prefix: 'audit',
  collection: `${API}/audit/`,
  singular: 'an audit record',
  plural: 'audit records, newest first',
  read: 'read',
  write: 'read',
  deletable: false,
  sortedBy: ['id'],
  shapes: { item: audit.AuditTrail, page: audit.AuditPage, listQuery: audit.AuditListQuery },
});

const evidence = { ...reading, tag: 'audit', requires: 'read_audit_stream', errorStatuses: [404, 409] } as const;

export const AUDIT_CHECKPOINT = operation({
  ...evidence,
  id: 'audit_checkpoints_retrieve',
  path: `${API}/audit/checkpoints/`,
  summary: 'Sign the present state of the ledger, or an earlier one',
  description:
    'The note is a checkpoint of a transparency log (c2sp.org/tlog-checkpoint). `strata audit verify` compares a database with checkpoints that you have kept elsewhere.',
  query: AuditCheckpointQuery,
  response: AuditCheckpoint,
});

export const AUDIT_PROOF = operation({
  ...evidence,
  id: 'audit_proof_retrieve',
  path: `${API}/audit/proof/`,
  summary: 'Prove that a checkpoint covers a changeset, and that it continues an earlier checkpoint',
  query: AuditProofQuery,
  response: AuditProof,
});

export const historyOperations = operations([
  {
    ...reading,
    id: 'audit_summary_retrieve',
    path: `${API}/audit/summary/`,
    tag: 'audit',
    summary: 'Read the time span of the audit and the number of its records',
    response: audit.AuditSummary,
  },
  {
    ...reading,
    id: 'audit_stream',
    path: `${API}/audit/stream/`,
    tag: 'audit',
    summary: 'Stream the audit, oldest first (newline-delimited JSON)',
    description:
      'Each line is an AuditStreamRecord, an AuditStreamBookmark, or an AuditStreamClose, which says why Strata ends the stream early. The last line of a complete response is a bookmark. With `follow`, the stream stays open, and a bookmark follows every 10 seconds without a record.',
    requires: 'read_audit_stream',
    query: AuditStreamQuery,
    response: z.string(),
    produces: ['application/x-ndjson'],
    errorStatuses: [410],
  },
  AUDIT_CHECKPOINT,
  AUDIT_PROOF,
  ...standardOperations(AUDIT),
  {
    ...reading,
    id: 'projects_parameters_duality_list',
    path: `${PROJECT}/parameters/duality/`,
    tag: 'projects',
    summary: 'Compare the parameters that a project shows at two points in time, paired by name',
    query: ParameterDualityQuery,
    response: ParameterDualityPage,
  },
  {
    ...timeline,
    query: ParameterTimelineQuery,
    id: 'projects_parameters_timelines_retrieve',
    path: `${PROJECT}/parameters/timelines/`,
    summary: 'List the changes of the parameters of a project, newest first',
    response: ParameterTimeline,
  },
  {
    ...timeline,
    query: ParameterTimelineQuery,
    id: 'projects_parameters_timeline_retrieve',
    path: `${PROJECT}/parameters/{id}/timeline/`,
    summary: 'List the changes of a parameter, newest first',
    response: ParameterTimeline,
  },
  {
    ...timeline,
    id: 'projects_templates_timelines_retrieve',
    path: `${PROJECT}/templates/timelines/`,
    summary: 'List the changes of the templates of a project, newest first',
    response: TemplateTimeline,
  },
  {
    ...timeline,
    id: 'projects_templates_timeline_retrieve',
    path: `${PROJECT}/templates/{id}/timeline/`,
    summary: 'List the changes of a template, newest first',
    response: TemplateTimeline,
  },
]);
