// Made by tools/console/documents.mjs of viewer.graphql; not edited by hand.
import { type Document, document } from './document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** A kind of thing that a role lets somebody do. */
type Ability =
  /** Takes backups. */
  | 'back_up'
  /** Changes roles of members and removes them. */
  | 'change_membership'
  /** Changes and deletes the organization. */
  | 'change_organization'
  /** Makes service accounts and their keys. */
  | 'create_service_account'
  /** Has access to every project and environment, controlled ones too. */
  | 'enter_every_scope'
  /** Invites people. */
  | 'invite'
  /** Gives roles on projects and environments. */
  | 'manage_grants'
  /** Manages groups. */
  | 'manage_groups'
  /** Manages integrations. */
  | 'manage_integrations'
  /** Changes and removes service accounts. */
  | 'manage_service_accounts'
  /** Manages webhooks. */
  | 'manage_webhooks'
  /** Reads. */
  | 'read'
  /** Changes environments, projects, parameters, values and templates. */
  | 'write_content';

/** What a person or service account may do. */
type Role =
  /** Manages people, webhooks and integrations. */
  | 'ADMIN'
  /** Changes environments, projects, parameters and values. */
  | 'CONTRIB'
  /** Everything, including the organization itself. */
  | 'OWNER'
  /** Reads. */
  | 'VIEWER';

/** What can be done with a project or environment that is under access control. */
type ScopeAbility =
  /** Gives others roles on it. */
  | 'grant'
  /** Changes and deletes it. */
  | 'manage'
  /** Sees what lies in it. */
  | 'read'
  /** Changes what lies in it. */
  | 'write';

/** Who stands behind a credential. */
type UserKind =
  /** A person. */
  | 'interactive'
  /** A service account with an API key. */
  | 'service';

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { readonly viewer: { readonly role: Role | null, readonly user: { readonly id: string, readonly type: UserKind, readonly name: string | null, readonly email: string | null }, readonly organization: { readonly id: string, readonly name: string } | null, readonly abilities: { readonly abilities: ReadonlyArray<Ability>, readonly scopes: ReadonlyArray<{ readonly scopeId: string, readonly abilities: ReadonlyArray<ScopeAbility> }> } } };

export const Viewer: Document<ViewerQuery, ViewerQueryVariables> = document(
  'Viewer',
  'd0605c3dbafce9d00c6b0a3d2a5732b772bb52d3b80dfc11ebd89257b5cf89ed',
);
