// Made by tools/console/documents.mjs of present.graphql; not edited by hand.
import { type Document, document } from '../graphql/document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** What a rule limits. */
type RuleKind =
  /** Largest integer. */
  | 'max'
  /** Most characters. */
  | 'max_len'
  /** Smallest integer. */
  | 'min'
  /** Fewest characters. */
  | 'min_len'
  /** Regular expression that the text must match from its start. */
  | 'regex';

export type PresentTypesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type PresentTypesQuery = { readonly types: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string, readonly rules: ReadonlyArray<{ readonly type: RuleKind }> } }> } };

export type PresentParametersQueryVariables = Exact<{
  projectId: string;
  after?: string | null | undefined;
}>;


export type PresentParametersQuery = { readonly project: { readonly parameters: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string, readonly values: ReadonlyArray<{ readonly parameterId: string, readonly environmentName: string }> } }> } } | null };

export type PresentTemplatesQueryVariables = Exact<{
  projectId: string;
  after?: string | null | undefined;
}>;


export type PresentTemplatesQuery = { readonly project: { readonly templates: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly name: string } }> } } | null };

export type PresentWebhooksQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type PresentWebhooksQuery = { readonly webhooks: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly name: string } }> } };

export const PresentTypes: Document<PresentTypesQuery, PresentTypesQueryVariables> = document(
  "query PresentTypes($after:String){types(first:200 after:$after){pageInfo{hasNextPage endCursor}edges{node{id name rules{type}}}}}",
);

export const PresentParameters: Document<PresentParametersQuery, PresentParametersQueryVariables> = document(
  "query PresentParameters($projectId:ID!$after:String){project(id:$projectId){parameters(first:100 after:$after immediateParameters:true){pageInfo{hasNextPage endCursor}edges{node{id name values{parameterId environmentName}}}}}}",
);

export const PresentTemplates: Document<PresentTemplatesQuery, PresentTemplatesQueryVariables> = document(
  "query PresentTemplates($projectId:ID!$after:String){project(id:$projectId){templates(first:100 after:$after){pageInfo{hasNextPage endCursor}edges{node{name}}}}}",
);

export const PresentWebhooks: Document<PresentWebhooksQuery, PresentWebhooksQueryVariables> = document(
  "query PresentWebhooks($after:String){webhooks(first:100 after:$after){pageInfo{hasNextPage endCursor}edges{node{name}}}}",
);
