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

const log = `${API}/audit/log`;
const tile = {
  ...evidence,
  response: z.string(),
  produces: ['application/octet-stream'],
  errorStatuses: [404, 409],
} as const;

export const AUDIT_LOG_CHECKPOINT = operation({
  ...evidence,
  id: 'audit_log_checkpoint_retrieve',
  path: `${log}/checkpoint/`,
  summary: 'Read the latest checkpoint of the ledger as a transparency log',
  description:
    'The log follows c2sp.org/tlog-tiles, so tools for transparency logs can mirror it. If the installation has witnesses, this is the latest published checkpoint with their cosignatures.',
  response: z.string(),
  produces: ['text/plain'],
});

export const AUDIT_LOG_TILE = operation({
  ...tile,
  id: 'audit_log_tile_retrieve',
  path: `${log}/tile/{level}/{index}/`,
  summary: 'Read a full tile of hashes, or a bundle of entries, of the log',
  description:
    'The level is a number, or `entries` for a bundle. An entry is the canonical form of a changeset with its changes, and contains no values. 409 `entry_too_long` means that a changeset is longer than the format allows: the tile of level 0 has its hash.',
});

export const AUDIT_LOG_PARTIAL_TILE = operation({
  ...tile,
  id: 'audit_log_tile_partial_retrieve',
  path: `${log}/tile/{level}/{index}/{width}/`,
  summary: 'Read a partial tile of the log, or a full one whose index has two parts',
  description: 'A partial tile has the path `000.p/5`, and the tile 1234 the path `x001/234`.',
});

export const AUDIT_LOG_LONG_TILE = operation({
  ...tile,
  id: 'audit_log_tile_long_retrieve',
  path: `${log}/tile/{level}/{group}/{index}/{width}/`,
  summary: 'Read a partial tile of the log whose index has two parts',
  description: 'The partial tile 1234 has the path `x001/234.p/5`.',
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
  AUDIT_LOG_CHECKPOINT,
  AUDIT_LOG_TILE,
  AUDIT_LOG_PARTIAL_TILE,
  AUDIT_LOG_LONG_TILE,
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
