// Made by tools/console/documents.mjs of templates.graphql; not edited by hand.
import { type Document, document } from '../graphql/document.ts';

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
  "query TemplatesOf($projectId:ID!$first:Int!$after:String$asOf:DateTime$revision:Int){project(id:$projectId asOf:$asOf revision:$revision){templates(first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}edges{node{id name description createdAt modifiedAt referencingTemplateIds referencingValueIds}}}}}",
);

export const TemplateNamed: Document<TemplateNamedQuery, TemplateNamedQueryVariables> = document(
  "query TemplateNamed($projectId:ID!$name:String!$asOf:DateTime$revision:Int){project(id:$projectId asOf:$asOf revision:$revision){templates(first:1 name:$name){edges{node{id ledgerId name description body}}}}}",
);

export const ReferableParameters: Document<ReferableParametersQuery, ReferableParametersQueryVariables> = document(
  "query ReferableParameters($projectId:ID!$after:String){project(id:$projectId){parameters(first:200 after:$after){pageInfo{hasNextPage endCursor}edges{node{name secret projectName}}}}}",
);

export const ReferableTemplates: Document<ReferableTemplatesQuery, ReferableTemplatesQueryVariables> = document(
  "query ReferableTemplates($projectId:ID!$after:String){project(id:$projectId){templates(first:200 after:$after){pageInfo{hasNextPage endCursor}edges{node{name}}}}}",
);

export const PreviewOf: Document<PreviewOfQuery, PreviewOfQueryVariables> = document(
  "query PreviewOf($projectId:ID!$environment:String!$template:ID$body:String!$reveal:Boolean!$asOf:DateTime$revision:Int){templatePreview(projectId:$projectId environment:$environment template:$template input:{body:$body}reveal:$reveal asOf:$asOf revision:$revision){body hasSecret}}",
);

export const TemplateTimelineOf: Document<TemplateTimelineOfQuery, TemplateTimelineOfQueryVariables> = document(
  "query TemplateTimelineOf($projectId:ID!$id:ID!$before:DateTime){audit(objectId:$id objectType:\"Template\" latest:$before first:200){edges{node{timestamp changeset}}}template(projectId:$projectId id:$id){timeline(asOf:$before){nextAsOf results{historyType modifiedAt modifiedBy historyTemplate{ledgerId name description body}}}}}",
);
