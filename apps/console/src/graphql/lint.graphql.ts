// Made by tools/console/documents.mjs of lint.graphql; not edited by hand.
import { type Document, document } from './document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** What is found about configuration. */
type LintKind =
  /** A text looks like a secret, and its parameter is not secret. */
  | 'clear_secret'
  /** A value is older than its parameter allows. */
  | 'expired_value'
  /** No value applies in an environment that nothing is below. */
  | 'missing_value'
  /** A value says what would apply without it. */
  | 'redundant_override'
  /** Nothing seems to need a parameter. */
  | 'unreferenced_parameter';

/** Why something is found. */
type LintReason =
  /** Its last change is longer ago than the parameter allows. */
  | 'expired'
  /** The text looks as if it were random. */
  | 'high_entropy'
  /** The text holds a credential that its issuer marks as one. */
  | 'known_token'
  /** It has no value anywhere, no text says its name, and no project below has one of that name. */
  | 'never_set'
  /** Nothing applies, not even an explicit null. */
  | 'no_value'
  /** Exports leave it out because no variable can be called so, and no text says its name, though texts say others of the kind. */
  | 'not_exported'
  /** The text is a URL with a password in it. */
  | 'password_in_url'
  /** The text holds a private key. */
  | 'private_key'
  /** The value says what would be inherited. */
  | 'same_as_inherited'
  /** The parameter is called like a secret. */
  | 'secret_name';

export type LintOfQueryVariables = Exact<{
  project?: ReadonlyArray<string> | string | null | undefined;
  kind?: ReadonlyArray<LintKind> | LintKind | null | undefined;
  first: number;
  after?: string | null | undefined;
  asOf?: string | null | undefined;
  revision?: number | null | undefined;
}>;


export type LintOfQuery = { readonly lint: { readonly cursor: string | null, readonly incomplete: boolean, readonly revision: number, readonly results: ReadonlyArray<{ readonly kind: LintKind, readonly reason: LintReason, readonly detail: string, readonly name: string, readonly parameterId: string, readonly valueId: string | null, readonly whyNot: string | null, readonly environments: ReadonlyArray<{ readonly environmentName: string }>, readonly operations: ReadonlyArray<{ readonly operation: string, readonly path: unknown, readonly query: unknown, readonly body: unknown }> }> } | null };

export const LintOf: Document<LintOfQuery, LintOfQueryVariables> = document(
  'LintOf',
  '63d8b368a744c268cdaf6ea65e33e1a10cfe1a068ac8008c49194900d24c4bf1',
);
