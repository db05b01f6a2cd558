// Made by tools/console/documents.mjs of moment.graphql; not edited by hand.
import { type Document, document } from './document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type TaggedInstantQueryVariables = Exact<{
  environment: string;
  tag: string;
}>;


export type TaggedInstantQuery = { readonly environments: { readonly edges: ReadonlyArray<{ readonly node: { readonly tags: { readonly edges: ReadonlyArray<{ readonly node: { readonly timestamp: string } }> } } }> } };

export type TagsToGoToQueryVariables = Exact<{ [key: string]: never; }>;


export type TagsToGoToQuery = { readonly environments: { readonly edges: ReadonlyArray<{ readonly node: { readonly name: string, readonly tags: { readonly edges: ReadonlyArray<{ readonly node: { readonly name: string, readonly timestamp: string } }> } } }> } };

export const TaggedInstant: Document<TaggedInstantQuery, TaggedInstantQueryVariables> = document(
  'TaggedInstant',
  '5b3e52bb2346d8972f037c705210cb25480e34df2a57b5231372b5f1e9655fb4',
);

export const TagsToGoTo: Document<TagsToGoToQuery, TagsToGoToQueryVariables> = document(
  'TagsToGoTo',
  '00c33a50534df9a6735c8c147e779ebb1e97806dfa754edc3d52c64026e67e31',
);
