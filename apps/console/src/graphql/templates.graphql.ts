// Made by tools/console/documents.mjs of templates.graphql; not edited by hand.
import { type Document, document } from './document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** What happened to it. */
type HistoryType =
  /** It was created. */
  | 'create'
  /** It was deleted. */
  | 'delete'
  /** Nothing. */
  | 'nothing'
  /** It was updated. */
  | 'update';

export type TemplatesOfQueryVariables = Exact<{
  projectId: string;
  first: number;
  after?: string | null | undefined;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
}>;


export type TemplatesOfQuery = { readonly project: { readonly templates: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string, readonly description: string, readonly createdAt: string, readonly modifiedAt: string | null, readonly referencingTemplateIds: ReadonlyArray<string>, readonly referencingValueIds: ReadonlyArray<string> } }> } } | null };

export type TemplateNamedQueryVariables = Exact<{
  projectId: string;
  name: string;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
}>;


export type TemplateNamedQuery = { readonly project: { readonly templates: { readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly ledgerId: string, readonly name: string, readonly description: string, readonly body: string } }> } } | null };

export type ReferableParametersQueryVariables = Exact<{
  projectId: string;
  after?: string | null | undefined;
}>;


export type ReferableParametersQuery = { readonly project: { readonly parameters: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly name: string, readonly secret: boolean, readonly projectName: string } }> } } | null };

export type ReferableTemplatesQueryVariables = Exact<{
  projectId: string;
  after?: string | null | undefined;
}>;


export type ReferableTemplatesQuery = { readonly project: { readonly templates: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly name: string } }> } } | null };

export type PreviewOfQueryVariables = Exact<{
  projectId: string;
  environment: string;
  template?: string | null | undefined;
  body: string;
  reveal: boolean;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
}>;


export type PreviewOfQuery = { readonly templatePreview: { readonly body: string, readonly hasSecret: boolean } | null };

export type TemplateTimelineOfQueryVariables = Exact<{
  projectId: string;
  id: string;
  before?: string | null | undefined;
}>;


export type TemplateTimelineOfQuery = { readonly audit: { readonly edges: ReadonlyArray<{ readonly node: { readonly timestamp: string, readonly changeset: number } }> }, readonly template: { readonly timeline: { readonly nextAsOf: string | null, readonly results: ReadonlyArray<{ readonly historyType: HistoryType, readonly modifiedAt: string, readonly modifiedBy: string, readonly historyTemplate: { readonly ledgerId: string, readonly name: string, readonly description: string, readonly body: string } }> } | null } | null };

export const TemplatesOf: Document<TemplatesOfQuery, TemplatesOfQueryVariables> = document(
  'TemplatesOf',
  '0a06e3f381c942509dfac68cfc223b4ea55f95ad215f1b9b5c86a96e9fcc6215',
);

export const TemplateNamed: Document<TemplateNamedQuery, TemplateNamedQueryVariables> = document(
  'TemplateNamed',
  'c2c772417f3c836bd23829f3a822fd1c03e9a9d37b64757535d91faa7938ce81',
);

export const ReferableParameters: Document<ReferableParametersQuery, ReferableParametersQueryVariables> = document(
  'ReferableParameters',
  '923c35c375f8620893be2345f0af43c414a6bb31e4356dccd02fdf166e6bb78e',
);

export const ReferableTemplates: Document<ReferableTemplatesQuery, ReferableTemplatesQueryVariables> = document(
  'ReferableTemplates',
  '28873cdc14953a66f38983e6d623733567aa0a9c6537cbb87260ea3a0f29c5a5',
);

export const PreviewOf: Document<PreviewOfQuery, PreviewOfQueryVariables> = document(
  'PreviewOf',
  'b46da8fd6c0449ee8ebe0a69283952be3f3dd3a3754dc25cdf0a299897ac3929',
);

export const TemplateTimelineOf: Document<TemplateTimelineOfQuery, TemplateTimelineOfQueryVariables> = document(
  'TemplateTimelineOf',
  'f9cbecb60a805a6fa0663607a1167fcea880287d0adee02af4cbb53645b023a4',
);
