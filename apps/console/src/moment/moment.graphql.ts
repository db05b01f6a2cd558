// Made by tools/console/documents.mjs of moment.graphql; not edited by hand.
import { type Document, document } from '../graphql/document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type TaggedInstantQueryVariables = Exact<{
  environment: string;
  tag: string;
}>;


export type TaggedInstantQuery = { readonly environments: { readonly edges: ReadonlyArray<{ readonly node: { readonly tags: { readonly edges: ReadonlyArray<{ readonly node: { readonly timestamp: string } }> } } }> } };

export type TagsToGoToQueryVariables = Exact<{ [key: string]: never; }>;


export type TagsToGoToQuery = { readonly environments: { readonly edges: ReadonlyArray<{ readonly node: { readonly name: string, readonly tags: { readonly edges: ReadonlyArray<{ readonly node: { readonly name: string, readonly timestamp: string } }> } } }> } };

export const TaggedInstant: Document<TaggedInstantQuery, TaggedInstantQueryVariables> = document(
  "query TaggedInstant($environment:String!$tag:String!){environments(first:1 name:$environment){edges{node{tags(first:1 name:$tag){edges{node{timestamp}}}}}}}",
);

export const TagsToGoTo: Document<TagsToGoToQuery, TagsToGoToQueryVariables> = document(
  "query TagsToGoTo{environments(first:60){edges{node{name tags(first:12 ordering:\"-timestamp\"){edges{node{name timestamp}}}}}}}",
);
