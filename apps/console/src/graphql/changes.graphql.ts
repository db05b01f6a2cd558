// Made by tools/console/documents.mjs of changes.graphql; not edited by hand.
import { type Document, document } from './document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** The kinds of change that are announced: twelve of environments, projects, parameters and values, which webhooks can tell of, and further ones for who names them. */
type EventType =
  /** An environment was created. */
  | 'environment_created'
  /** An environment was deleted. */
  | 'environment_deleted'
  /** An environment was updated. */
  | 'environment_updated'
  /** A grant was created. */
  | 'grant_created'
  /** A grant was deleted. */
  | 'grant_deleted'
  /** A grant was updated. */
  | 'grant_updated'
  /** A group was created. */
  | 'group_created'
  /** A group was deleted. */
  | 'group_deleted'
  /** A group was updated. */
  | 'group_updated'
  /** An invitation was created. */
  | 'invitation_created'
  /** An invitation was deleted. */
  | 'invitation_deleted'
  /** An invitation was updated. */
  | 'invitation_updated'
  /** A membership was created. */
  | 'membership_created'
  /** A membership was deleted. */
  | 'membership_deleted'
  /** A membership was updated. */
  | 'membership_updated'
  /** An organization was created. */
  | 'organization_created'
  /** An organization was deleted. */
  | 'organization_deleted'
  /** An organization was updated. */
  | 'organization_updated'
  /** A parameter was created. */
  | 'parameter_created'
  /** A parameter was deleted. */
  | 'parameter_deleted'
  /** A parameter was updated. */
  | 'parameter_updated'
  /** A project was created. */
  | 'project_created'
  /** A project was deleted. */
  | 'project_deleted'
  /** A project was updated. */
  | 'project_updated'
  /** A service account was created. */
  | 'service_account_created'
  /** A service account was deleted. */
  | 'service_account_deleted'
  /** A service account was updated. */
  | 'service_account_updated'
  /** A tag was created. */
  | 'tag_created'
  /** A tag was deleted. */
  | 'tag_deleted'
  /** A tag was updated. */
  | 'tag_updated'
  /** A template was created. */
  | 'template_created'
  /** A template was deleted. */
  | 'template_deleted'
  /** A template was updated. */
  | 'template_updated'
  /** A type was created. */
  | 'type_created'
  /** A type was deleted. */
  | 'type_deleted'
  /** A type was updated. */
  | 'type_updated'
  /** A value was created. */
  | 'value_created'
  /** A value was deleted. */
  | 'value_deleted'
  /** A value was updated. */
  | 'value_updated'
  /** A webhook was created. */
  | 'webhook_created'
  /** A webhook was deleted. */
  | 'webhook_deleted'
  /** A webhook was updated. */
  | 'webhook_updated';

export type ChangeFeedSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ChangeFeedSubscription = { readonly changeFeed: { readonly cursor: string, readonly revision: number, readonly change: { readonly type: EventType, readonly object: { readonly id: string }, readonly project: { readonly id: string } | null, readonly parameter: { readonly id: string, readonly name: string } | null } | null } };

export const ChangeFeed: Document<ChangeFeedSubscription, ChangeFeedSubscriptionVariables> = document(
  'ChangeFeed',
  '5a705898def8e5d14e1092b17475249e71ec7c4298dcd05bf20a7fec03480d67',
);
