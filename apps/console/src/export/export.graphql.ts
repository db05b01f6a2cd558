// Made by tools/console/documents.mjs of export.graphql; not edited by hand.
import { type Document, document } from '../graphql/document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Notations of a file of environment variables. */
type ExportFormat =
  /** As docker reads it. */
  | 'docker'
  /** As dotenv reads it. */
  | 'dotenv'
  /** As shell reads it. */
  | 'shell';

export type ExportedMapQueryVariables = Exact<{
  projectId: string;
  environment: string;
  reveal: boolean;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
}>;


export type ExportedMapQuery = { readonly effective: { readonly environmentName: string, readonly hasSecret: boolean, readonly map: Record<string, string | null> } | null };

export type ExportedFileQueryVariables = Exact<{
  projectId: string;
  environment: string;
  output: ExportFormat;
  explicitExport?: boolean | null | undefined;
  reveal: boolean;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
}>;


export type ExportedFileQuery = { readonly project: { readonly export: { readonly body: string, readonly hasSecret: boolean } | null } | null };

export type ExportedTemplateQueryVariables = Exact<{
  projectId: string;
  environment: string;
  template: string;
  reveal: boolean;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
}>;


export type ExportedTemplateQuery = { readonly project: { readonly templates: { readonly edges: ReadonlyArray<{ readonly node: { readonly name: string, readonly body: string, readonly hasSecret: boolean } }> } } | null };

export type ExportTemplatesQueryVariables = Exact<{
  projectId: string;
  after?: string | null | undefined;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
}>;


export type ExportTemplatesQuery = { readonly project: { readonly templates: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string, readonly description: string } }> } } | null };

export const ExportedMap: Document<ExportedMapQuery, ExportedMapQueryVariables> = document(
  "query ExportedMap($projectId:ID!$environment:ID!$reveal:Boolean!$asOf:DateTime$revision:Int){effective(projectId:$projectId environmentId:$environment reveal:$reveal asOf:$asOf revision:$revision){environmentName hasSecret map}}",
);

export const ExportedFile: Document<ExportedFileQuery, ExportedFileQueryVariables> = document(
  "query ExportedFile($projectId:ID!$environment:String!$output:ExportFormat!$explicitExport:Boolean$reveal:Boolean!$asOf:DateTime$revision:Int){project(id:$projectId asOf:$asOf revision:$revision){export(environment:$environment output:$output explicitExport:$explicitExport reveal:$reveal){body hasSecret}}}",
);

export const ExportedTemplate: Document<ExportedTemplateQuery, ExportedTemplateQueryVariables> = document(
  "query ExportedTemplate($projectId:ID!$environment:String!$template:ID!$reveal:Boolean!$asOf:DateTime$revision:Int){project(id:$projectId asOf:$asOf revision:$revision){templates(environment:$environment evaluate:true idIn:[$template]reveal:$reveal first:1){edges{node{name body hasSecret}}}}}",
);

export const ExportTemplates: Document<ExportTemplatesQuery, ExportTemplatesQueryVariables> = document(
  "query ExportTemplates($projectId:ID!$after:String$asOf:DateTime$revision:Int){project(id:$projectId asOf:$asOf revision:$revision){templates(first:200 after:$after){pageInfo{hasNextPage endCursor}edges{node{id name description}}}}}",
);
