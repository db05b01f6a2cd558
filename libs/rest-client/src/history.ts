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
import { apiPath, type QueryOf, type Wish } from './paths.ts';
import { Resource, type Sender } from './resource.ts';

export function tags(sender: Sender, environment: string) {
  return new Resource<Tag, QueryOf<TagListQuery>, Wish<TagCreate, 'name'>, TagUpdate, TagPatch>(
    sender,
    apiPath`/environments/${environment}/tags/`,
  );
}

class Audit extends Resource<AuditTrail, QueryOf<AuditListQuery>> {
  summary(): Promise<AuditSummary> {
    return this.sender.body({ method: 'GET', path: apiPath`/audit/summary/` });
  }
}

export function audit(sender: Sender) {
  return new Audit(sender, apiPath`/audit/`);
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
