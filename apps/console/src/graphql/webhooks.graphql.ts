// Made by tools/console/documents.mjs of webhooks.graphql; not edited by hand.
import { type Document, document } from './document.ts';

type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** What a webhook is made of. */
type CreateWebhookInput = {
  /** Where and under which name it writes. */
  readonly configuration: CreateWebhookInputConfiguration;
  /** The kinds of change it tells of. */
  readonly eventTypes: ReadonlyArray<EventType>;
  /** Its name. */
  readonly name: string;
  /** The chat service. */
  readonly type: WebhookKind;
};

/** Where and under which name it writes. */
type CreateWebhookInputConfiguration = {
  /** The channel to write to: its id, or its name. */
  readonly channel: string;
  /** Bot token of the chat service. It is stored sealed and never shown again. */
  readonly token: string;
  /** The name to write under. */
  readonly username: string;
};

/** How far a message came. */
type DeliveryStatus =
  /** The message is delivered. */
  | 'delivered'
  /** The message is exhausted. */
  | 'exhausted'
  /** The message is parked. */
  | 'parked'
  /** The message is queued. */
  | 'queued'
  /** The message is retrying. */
  | 'retrying'
  /** The message is sending. */
  | 'sending'
  /** The message is skipped. */
  | 'skipped'
  /** The message is unknown. */
  | 'unknown';

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

/** Changes of a webhook; what is left out stays. */
type UpdateWebhookInput = {
  /** Where and under which name it writes. */
  readonly configuration?: UpdateWebhookInputConfiguration | null | undefined;
  /** The kinds of change it tells of. */
  readonly eventTypes?: ReadonlyArray<EventType> | null | undefined;
  /** Its name. */
  readonly name?: string | null | undefined;
  /** The chat service. */
  readonly type?: WebhookKind | null | undefined;
};

/** Where and under which name it writes. */
type UpdateWebhookInputConfiguration = {
  /** The channel to write to: its id, or its name. */
  readonly channel?: string | null | undefined;
  /** Bot token of the chat service. It is stored sealed and never shown again. */
  readonly token?: string | null | undefined;
  /** The name to write under. */
  readonly username?: string | null | undefined;
};

/** Which chat service a webhook talks to. */
type WebhookKind =
  /** Slack. */
  | 'slack';

/** Whether a webhook sends messages. */
type WebhookState =
  /** Messages are sent. */
  | 'active'
  /** Nothing is sent until it is enabled again. */
  | 'suspended';

export type ToldDeliveryFragment = { readonly id: string, readonly status: DeliveryStatus, readonly eventTypes: ReadonlyArray<EventType>, readonly events: number, readonly revision: number | null, readonly text: string | null, readonly hint: string | null, readonly createdAt: string, readonly attempts: ReadonlyArray<{ readonly at: string, readonly durationMs: number | null, readonly httpStatus: number | null, readonly errorCode: string | null, readonly retryAt: string | null }> };

export type WebhooksQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type WebhooksQuery = { readonly webhooks: { readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly name: string, readonly eventTypes: ReadonlyArray<EventType>, readonly state: WebhookState, readonly stateReason: string | null, readonly configuration: { readonly channel: string }, readonly deliveries: { readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly status: DeliveryStatus, readonly eventTypes: ReadonlyArray<EventType>, readonly events: number, readonly revision: number | null, readonly text: string | null, readonly hint: string | null, readonly createdAt: string, readonly attempts: ReadonlyArray<{ readonly at: string, readonly durationMs: number | null, readonly httpStatus: number | null, readonly errorCode: string | null, readonly retryAt: string | null }> } }> } } }> } };

export type WebhookOfQueryVariables = Exact<{
  id: string;
}>;


export type WebhookOfQuery = { readonly webhook: { readonly id: string, readonly ledgerId: string, readonly name: string, readonly eventTypes: ReadonlyArray<EventType>, readonly state: WebhookState, readonly stateReason: string | null, readonly configuration: { readonly token: string, readonly channel: string, readonly username: string }, readonly deliveries: { readonly edges: ReadonlyArray<{ readonly node: { readonly hint: string | null } }> } } | null };

export type DeliveriesOfQueryVariables = Exact<{
  id: string;
  first: number;
  after?: string | null | undefined;
  status?: DeliveryStatus | null | undefined;
}>;


export type DeliveriesOfQuery = { readonly webhook: { readonly deliveries: { readonly totalCount: number, readonly pageInfo: { readonly hasNextPage: boolean, readonly endCursor: string | null }, readonly edges: ReadonlyArray<{ readonly node: { readonly id: string, readonly status: DeliveryStatus, readonly eventTypes: ReadonlyArray<EventType>, readonly events: number, readonly revision: number | null, readonly text: string | null, readonly hint: string | null, readonly createdAt: string, readonly attempts: ReadonlyArray<{ readonly at: string, readonly durationMs: number | null, readonly httpStatus: number | null, readonly errorCode: string | null, readonly retryAt: string | null }> } }> } } | null };

export type CreateWebhookMutationVariables = Exact<{
  input: CreateWebhookInput;
}>;


export type CreateWebhookMutation = { readonly createWebhook:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'WebhookSaved', readonly webhook: { readonly id: string } }
   };

export type UpdateWebhookMutationVariables = Exact<{
  id: string;
  input: UpdateWebhookInput;
  expectedLedgerId: string;
}>;


export type UpdateWebhookMutation = { readonly updateWebhook:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'WebhookSaved', readonly webhook: { readonly id: string } }
   };

export type DeleteWebhookMutationVariables = Exact<{
  id: string;
  expectedLedgerId: string;
}>;


export type DeleteWebhookMutation = { readonly deleteWebhook:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'Deleted', readonly id: string }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type EnableWebhookMutationVariables = Exact<{
  id: string;
}>;


export type EnableWebhookMutation = { readonly enableWebhook:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'WebhookSaved', readonly webhook: { readonly id: string } }
   };

export type TestWebhookMutationVariables = Exact<{
  id: string;
}>;


export type TestWebhookMutation = { readonly testWebhook:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'DeliveryMade', readonly delivery: { readonly id: string, readonly status: DeliveryStatus, readonly eventTypes: ReadonlyArray<EventType>, readonly events: number, readonly revision: number | null, readonly text: string | null, readonly hint: string | null, readonly createdAt: string, readonly attempts: ReadonlyArray<{ readonly at: string, readonly durationMs: number | null, readonly httpStatus: number | null, readonly errorCode: string | null, readonly retryAt: string | null }> } }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export type RedeliverMutationVariables = Exact<{
  id: string;
  deliveryId: string;
}>;


export type RedeliverMutation = { readonly redeliver:
    | { readonly __typename: 'Conflict', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'DeliveryMade', readonly delivery: { readonly id: string, readonly status: DeliveryStatus, readonly eventTypes: ReadonlyArray<EventType>, readonly events: number, readonly revision: number | null, readonly text: string | null, readonly hint: string | null, readonly createdAt: string, readonly attempts: ReadonlyArray<{ readonly at: string, readonly durationMs: number | null, readonly httpStatus: number | null, readonly errorCode: string | null, readonly retryAt: string | null }> } }
    | { readonly __typename: 'NotFound', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PermissionDenied', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
    | { readonly __typename: 'PreconditionFailed', readonly code: string, readonly message: string }
    | { readonly __typename: 'ValidationProblem', readonly code: string, readonly message: string, readonly fields: ReadonlyArray<{ readonly field: string, readonly message: string }> }
   };

export const Webhooks: Document<WebhooksQuery, WebhooksQueryVariables> = document(
  'Webhooks',
  '35cb9ee9581e1677b753ef1f09ed1ad2fbf9242bf708d9c092f278062cfa446b',
);

export const WebhookOf: Document<WebhookOfQuery, WebhookOfQueryVariables> = document(
  'WebhookOf',
  'b97eaecb9f2275e4c0d3faa1f440e8949099ce6e5ee81eb1ba7c21569831b48d',
);

export const DeliveriesOf: Document<DeliveriesOfQuery, DeliveriesOfQueryVariables> = document(
  'DeliveriesOf',
  'd5ff6dd80fc22b0bbf31d623c0ac1f4c4be2894a4d4d428e59d9ce45ccb7c748',
);

export const CreateWebhook: Document<CreateWebhookMutation, CreateWebhookMutationVariables> = document(
  'CreateWebhook',
  'aa74a19f9fe108dc44051e8677255b77ccf9c4e073ab03c165b6bbdda680cf68',
);

export const UpdateWebhook: Document<UpdateWebhookMutation, UpdateWebhookMutationVariables> = document(
  'UpdateWebhook',
  '09505a885e2c0499f017de53d604d881bd61ea1cd6dafc07e646d84a72c2c374',
);

export const DeleteWebhook: Document<DeleteWebhookMutation, DeleteWebhookMutationVariables> = document(
  'DeleteWebhook',
  '3f7a0fcb23d62434846d9cd391bb47d21bcd1b45a9a52c4ee0c94051df325648',
);

export const EnableWebhook: Document<EnableWebhookMutation, EnableWebhookMutationVariables> = document(
  'EnableWebhook',
  '97d752965a97cbd41b1942709e48a73a31cbc3539732cb48a1cc1bbd78aa5898',
);

export const TestWebhook: Document<TestWebhookMutation, TestWebhookMutationVariables> = document(
  'TestWebhook',
  'c80687c7a6eba5337781c84dec941caaf20c78d0b7f38aa104c9becec379eb99',
);

export const Redeliver: Document<RedeliverMutation, RedeliverMutationVariables> = document(
  'Redeliver',
  '7d1458db2391973f97213f6c5a9583c2297ff343ddacd781350dc89ce7042b4e',
);
