import type {
  AuditListQuery,
  AuditSummary,
  AuditTrail,
  Page,
  ParameterDuality,
  ParameterDualityQuery,
  ParameterTimeline,
  Tag,
  TagCreate,
  TagListQuery,
  TagPatch,
  TagUpdate,
  TemplateTimeline,
  TimelineQuery,
} from '@strata/contract';
import { apiPath, type QueryOf } from './paths.ts';
import { Resource, type Sender } from './resource.ts';

/** As a caller writes it: what the schema fills in may be left out. */
type Wish<T, Required extends keyof T> = Pick<T, Required> & Partial<Omit<T, Required>>;

export function tags(sender: Sender, environment: string) {
  return new Resource<Tag, QueryOf<TagListQuery>, Wish<TagCreate, 'name'>, TagUpdate, TagPatch>(
    sender,
    apiPath`/environments/${environment}/tags/`,
  );
}

export class Audit extends Resource<AuditTrail, QueryOf<AuditListQuery>> {
  summary(): Promise<AuditSummary> {
    return this.sender.body({ method: 'GET', path: apiPath`/audit/summary/` });
  }
}

/** What happened to the parameters and templates of a project, newest first; reads continue at `next_as_of`. */
export function timelines(sender: Sender, project: string) {
  const read = <T>(path: string, query: QueryOf<TimelineQuery> = {}) => sender.body<T>({ method: 'GET', path, query });
  return {
    parameters: (query?: QueryOf<TimelineQuery>) =>
      read<ParameterTimeline>(apiPath`/projects/${project}/parameters/timelines/`, query),
    parameter: (id: string, query?: QueryOf<TimelineQuery>) =>
      read<ParameterTimeline>(apiPath`/projects/${project}/parameters/${id}/timeline/`, query),
    templates: (query?: QueryOf<TimelineQuery>) =>
      read<TemplateTimeline>(apiPath`/projects/${project}/templates/timelines/`, query),
    template: (id: string, query?: QueryOf<TimelineQuery>) =>
      read<TemplateTimeline>(apiPath`/projects/${project}/templates/${id}/timeline/`, query),
  };
}

/** The parameters of a project at two points in time, paired by name. */
export function duality(
  sender: Sender,
  project: string,
  query: QueryOf<ParameterDualityQuery> = {},
): Promise<Page<ParameterDuality>> {
  return sender.body({ method: 'GET', path: apiPath`/projects/${project}/parameters/duality/`, query });
}
