// Made by tools/console/documents.mjs of changes.graphql; not edited by hand.
import { type Document, document } from '../graphql/document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** The twelve kinds of change that are announced. */
type EventType =
  /** An environment was created. */
  | 'environment_created'
  /** An environment was deleted. */
  | 'environment_deleted'
  /** An environment was updated. */
  | 'environment_updated'
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
  /** A value was created. */
  | 'value_created'
  /** A value was deleted. */
  | 'value_deleted'
  /** A value was updated. */
  | 'value_updated';

export type ChangeFeedSubscriptionVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ChangeFeedSubscription = { readonly changeFeed: { readonly cursor: string, readonly revision: number, readonly change: { readonly type: EventType, readonly object: { readonly id: string }, readonly project: { readonly id: string } | null, readonly parameter: { readonly id: string, readonly name: string } | null } | null } };

export const ChangeFeed: Document<ChangeFeedSubscription, ChangeFeedSubscriptionVariables> = document(
  "subscription ChangeFeed($after:String){changeFeed(after:$after){cursor revision change{type object{id}project{id}parameter{id name}}}}",
);
