// Made by tools/console/documents.mjs of parameters.graphql; not edited by hand.
import { type Document, document } from './document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
export type OwnParametersQueryVariables = Exact<{
  projectId: string;
  after?: string | null | undefined;
}>;


export type OwnParametersQuery = { readonly project: { readonly parameters: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string, readonly description: string, readonly secret: boolean, readonly type: string, readonly expires: string | null } }> } } | null };

export type OwnNamesQueryVariables = Exact<{
  projectId: string;
  after?: string | null | undefined;
}>;


export type OwnNamesQuery = { readonly project: { readonly parameters: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly name: string } }> } } | null };

export type ParameterSettingsQueryVariables = Exact<{
  projectId: string;
  name?: string | null | undefined;
  ids?: ReadonlyArray<string> | string | null | undefined;
}>;


export type ParameterSettingsQuery = { readonly project: { readonly parameters: { readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly ledgerId: string, readonly name: string, readonly description: string, readonly secret: boolean, readonly type: string, readonly expires: string | null, readonly expirationAction: unknown, readonly projectId: string, readonly projectName: string, readonly createdAt: string, readonly modifiedAt: string | null, readonly referencingValueIds: ReadonlyArray<string>, readonly referencingTemplateIds: ReadonlyArray<string>, readonly overrides: { readonly projectName: string } | null, readonly rules: ReadonlyArray<{ readonly id: string }> } }> } } | null };

export type TypeNamesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type TypeNamesQuery = { readonly types: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly name: string } }> } };

export const OwnParameters: Document<OwnParametersQuery, OwnParametersQueryVariables> = document(
  'OwnParameters',
  'e78d7f54ba29b90966ba2295dbc458a17504e3422313153b77c6f4d696620ed4',
);

export const OwnNames: Document<OwnNamesQuery, OwnNamesQueryVariables> = document(
  'OwnNames',
  'f363327571034a7bfb69a375a74de2ac5bbc48b58b39adb663c0d7094ac71914',
);

export const ParameterSettings: Document<ParameterSettingsQuery, ParameterSettingsQueryVariables> = document(
  'ParameterSettings',
  '07ad4fec7d8b15a763117077e9a4a22e19138de21041eb0efd178aa4ef066e68',
);

export const TypeNames: Document<TypeNamesQuery, TypeNamesQueryVariables> = document(
  'TypeNames',
  '5cfd738401c711c7adc4b73065f9fbe45bb71926865b9b97423a42649ff07cba',
);
