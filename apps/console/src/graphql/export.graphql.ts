// Made by tools/console/documents.mjs of export.graphql; not edited by hand.
import { type Document, document } from './document.ts';

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
  'ExportedMap',
  '46039f8e87bbbc81f97a55d7cb00e7b4cbede082364f75ea98a554b1e9f06e1d',
);

export const ExportedFile: Document<ExportedFileQuery, ExportedFileQueryVariables> = document(
  'ExportedFile',
  'b869e5486ceb356bec01b89f0c8ac0d1457ca0383962b1b0caf04ec0a2cc9cce',
);

export const ExportedTemplate: Document<ExportedTemplateQuery, ExportedTemplateQueryVariables> = document(
  'ExportedTemplate',
  '568a0fb1b6244736f98a16c6c6dacfbd9ca820026e38848696a5e0508b1e0a8b',
);

export const ExportTemplates: Document<ExportTemplatesQuery, ExportTemplatesQueryVariables> = document(
  'ExportTemplates',
  'eb59d03551ebf469d4e1100e953a58fe1f59aca28f1a75681b9d87495e3d49b3',
);
