// Made by tools/console/documents.mjs of types.graphql; not edited by hand.
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
  'Types',
  'd0db15f24d80e65cd84e091933b293fda10ec3d002fa32be7bbfa38edac6b919',
);

export const TypeUses: Document<TypeUsesQuery, TypeUsesQueryVariables> = document(
  'TypeUses',
  '798431c6279124af2370d08a9eab10e5ae0f6842d035b5649e0bd2f5d7b08c71',
);

export const ParametersOfType: Document<ParametersOfTypeQuery, ParametersOfTypeQueryVariables> = document(
  'ParametersOfType',
  '5560e41cc88f6aa161a7a941fff2f1e5a8fa5f23be27f2247333f1e1326cbb91',
);

export const TypeVerdictOf: Document<TypeVerdictOfQuery, TypeVerdictOfQueryVariables> = document(
  'TypeVerdictOf',
  'c7dcebf902cb5e72a18727a9d106de457dfd61a7afe7c2422ca49fbb92b13744',
);

export const ParameterVerdictOf: Document<ParameterVerdictOfQuery, ParameterVerdictOfQueryVariables> = document(
  'ParameterVerdictOf',
  '7fa4d98ab76c3e0ebc7d6ee7359df67984cc555345d777a7aac9bb9bc6170d83',
);

export const RulesOfParameter: Document<RulesOfParameterQuery, RulesOfParameterQueryVariables> = document(
  'RulesOfParameter',
  'fdccb5cd6163d432442b301e3cee953594c4188d83dda22835a6fa6ff49d86a0',
);
