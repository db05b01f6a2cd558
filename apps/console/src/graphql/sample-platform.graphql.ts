// Made by tools/console/documents.mjs of sample-platform.graphql; not edited by hand.
import { type Document, document } from './document.ts';

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
  'PresentTypes',
  '37fd935ca2527d17447ea570406a7de87c069102940c0f89abbc108d29c0d87d',
);

export const PresentParameters: Document<PresentParametersQuery, PresentParametersQueryVariables> = document(
  'PresentParameters',
  'f9520ec460ca7cf38d63696af8f9b672c84fcff07a475f4a7097992bad1001e2',
);

export const PresentTemplates: Document<PresentTemplatesQuery, PresentTemplatesQueryVariables> = document(
  'PresentTemplates',
  '73d7d4636214c9ae8521604104515f506021f68b07bdb34ba9795eaa64a071ac',
);

export const PresentWebhooks: Document<PresentWebhooksQuery, PresentWebhooksQueryVariables> = document(
  'PresentWebhooks',
  'b7a2d06fc739aa4a2e8cad46668e0604124195f0484de204919dad3b0f374f37',
);
