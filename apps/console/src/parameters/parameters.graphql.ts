// Made by tools/console/documents.mjs of parameters.graphql; not edited by hand.
import { type Document, document } from '../graphql/document.ts';

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
  "query OwnParameters($projectId:ID!$after:String){project(id:$projectId){parameters(first:50 after:$after immediateParameters:true){totalCount pageInfo{hasNextPage endCursor}edges{node{id name description secret type expires}}}}}",
);

export const OwnNames: Document<OwnNamesQuery, OwnNamesQueryVariables> = document(
  "query OwnNames($projectId:ID!$after:String){project(id:$projectId){parameters(first:200 after:$after immediateParameters:true){pageInfo{hasNextPage endCursor}edges{node{name}}}}}",
);

export const ParameterSettings: Document<ParameterSettingsQuery, ParameterSettingsQueryVariables> = document(
  "query ParameterSettings($projectId:ID!$name:String$ids:[ID!]){project(id:$projectId){parameters(first:1 name:$name idIn:$ids){edges{node{id ledgerId name description secret type expires expirationAction projectId projectName createdAt modifiedAt overrides{projectName}rules{id}referencingValueIds referencingTemplateIds}}}}}",
);

export const TypeNames: Document<TypeNamesQuery, TypeNamesQueryVariables> = document(
  "query TypeNames($after:String){types(first:200 after:$after){pageInfo{hasNextPage endCursor}edges{node{name}}}}",
);
