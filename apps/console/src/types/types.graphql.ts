// Made by tools/console/documents.mjs of types.graphql; not edited by hand.
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

export type TypesQueryVariables = Exact<{
  after?: string | null | undefined;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
}>;


export type TypesQuery = { readonly types: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly ledgerId: string, readonly name: string, readonly description: string, readonly parentId: string | null, readonly rules: ReadonlyArray<{ readonly id: string, readonly ledgerId: string, readonly type: RuleKind, readonly constraint: string }> } }> } };

export type TypeUsesQueryVariables = Exact<{ [key: string]: never; }>;


export type TypeUsesQuery = { readonly typeUsage: { readonly results: ReadonlyArray<{ readonly typeId: string, readonly parameterCount: number }> } | null };

export type ParametersOfTypeQueryVariables = Exact<{
  id: string;
  first: number;
  after?: string | null | undefined;
}>;


export type ParametersOfTypeQuery = { readonly parametersOfType: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string, readonly projectName: string } }> } };

export type TypeVerdictOfQueryVariables = Exact<{
  id: string;
  text: string;
}>;


export type TypeVerdictOfQuery = { readonly typeVerdict: { readonly fits: boolean, readonly violations: ReadonlyArray<{ readonly message: string, readonly rule: RuleKind | null, readonly owner: string | null }> } | null };

export type ParameterVerdictOfQueryVariables = Exact<{
  projectId: string;
  id: string;
  text: string;
}>;


export type ParameterVerdictOfQuery = { readonly parameterVerdict: { readonly fits: boolean, readonly violations: ReadonlyArray<{ readonly message: string, readonly rule: RuleKind | null, readonly owner: string | null }> } | null };

export type VerdictFragment = { readonly fits: boolean, readonly violations: ReadonlyArray<{ readonly message: string, readonly rule: RuleKind | null, readonly owner: string | null }> };

export type RulesOfParameterQueryVariables = Exact<{
  projectId: string;
  name: string;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
}>;


export type RulesOfParameterQuery = { readonly project: { readonly parameters: { readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string, readonly type: string, readonly secret: boolean, readonly projectId: string, readonly projectName: string, readonly rules: ReadonlyArray<{ readonly id: string, readonly ledgerId: string, readonly type: RuleKind, readonly constraint: string }> } }> } } | null };

export const Types: Document<TypesQuery, TypesQueryVariables> = document(
  "query Types($after:String$asOf:DateTime$revision:Int){types(first:200 after:$after asOf:$asOf revision:$revision){pageInfo{hasNextPage endCursor}edges{node{id ledgerId name description parentId rules{id ledgerId type constraint}}}}}",
);

export const TypeUses: Document<TypeUsesQuery, TypeUsesQueryVariables> = document(
  "query TypeUses{typeUsage{results{typeId parameterCount}}}",
);

export const ParametersOfType: Document<ParametersOfTypeQuery, ParametersOfTypeQueryVariables> = document(
  "query ParametersOfType($id:ID!$first:Int!$after:String){parametersOfType(id:$id first:$first after:$after){totalCount pageInfo{hasNextPage endCursor}edges{node{id name projectName}}}}",
);

export const TypeVerdictOf: Document<TypeVerdictOfQuery, TypeVerdictOfQueryVariables> = document(
  "query TypeVerdictOf($id:ID!$text:String!){typeVerdict(id:$id input:{text:$text}){...Verdict}}fragment Verdict on TextVerdict{fits violations{message rule owner}}",
);

export const ParameterVerdictOf: Document<ParameterVerdictOfQuery, ParameterVerdictOfQueryVariables> = document(
  "query ParameterVerdictOf($projectId:ID!$id:ID!$text:String!){parameterVerdict(projectId:$projectId id:$id input:{text:$text}){...Verdict}}fragment Verdict on TextVerdict{fits violations{message rule owner}}",
);

export const RulesOfParameter: Document<RulesOfParameterQuery, RulesOfParameterQueryVariables> = document(
  "query RulesOfParameter($projectId:ID!$name:String!$asOf:DateTime$revision:Int){project(id:$projectId asOf:$asOf revision:$revision){parameters(first:1 name:$name){edges{node{id name type secret projectId projectName rules{id ledgerId type constraint}}}}}}",
);
