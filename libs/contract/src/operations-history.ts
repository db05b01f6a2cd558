import { z } from 'zod';
import * as audit from './audit.ts';
import { AuditStreamQuery } from './audit-stream.ts';
import { noun, operations, standardOperations } from './operation.ts';
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
