import type {
  ParameterExport,
  ParameterExportQuery,
  Template,
  TemplateCreate,
  TemplateListQuery,
  TemplatePatch,
  TemplatePreview,
  TemplatePreviewQuery,
  TemplatePreviewRequest,
  TemplateQuery,
  TemplateUpdate,
} from '@strata/contract';
import { apiPath, type QueryOf, type Wish } from './paths.ts';
import { Resource, type Sender } from './resource.ts';

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

export function templates(sender: Sender, project: string) {
  return new Templates(sender, project);
}

/** The lines of a file of environment variables. */
export function parameterExport(
  sender: Sender,
  project: string,
  query: QueryOf<ParameterExportQuery> & Pick<ParameterExportQuery, 'output'>,
): Promise<ParameterExport> {
  return sender.body({ method: 'GET', path: apiPath`/projects/${project}/parameter-export/`, query });
}
