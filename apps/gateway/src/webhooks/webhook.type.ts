import { Field, ID, InputType, Int, ObjectType } from '@nestjs/graphql';
import type { Delivery as DeliveryRow, Webhook as WebhookRow } from '@strata/contract';
import { connectionOf } from '../graphql/connection.ts';
import { DeliveryStatus, EventType, WebhookKind, WebhookState } from '../graphql/enums.ts';
import { DateTime } from '../graphql/scalars.ts';
import { idOf, Node, nodeIdOf } from '../node.ts';
import { resultOf } from '../problems.ts';

@ObjectType({ implements: () => [Node], description: 'Tells a chat channel of changes.' })
export class Webhook extends Node {
  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => [EventType], { description: 'The kinds of change it tells of.' })
  eventTypes!: readonly (keyof typeof EventType)[];

  @Field(() => WebhookKind, { description: 'The chat service.' })
  type!: keyof typeof WebhookKind;

  @Field(() => String, { description: 'The channel it writes to.' })
  channel!: string;

  @Field(() => String, { description: 'The name it writes under.' })
  username!: string;

  @Field(() => String, { description: 'The bot token, masked; never more than its last four characters.' })
  maskedToken!: string;

  @Field(() => WebhookState, { description: 'Whether it sends messages.' })
  state!: keyof typeof WebhookState;

  @Field(() => String, { nullable: true, description: 'Why it does not send messages.' })
  stateReason!: string | null;

  @Field(() => DateTime, { description: 'When it was made.' })
  createdAt!: string;

  @Field(() => DateTime, { nullable: true, description: 'When it was last changed.' })
  modifiedAt!: string | null;
}

export function toWebhook(row: WebhookRow) {
  return {
    __typename: 'Webhook' as const,
    id: row.id,
    nodeId: nodeIdOf('Webhook', row.id),
    name: row.name,
    eventTypes: row.event_types,
    type: row.type,
    channel: row.configuration.channel,
    username: row.configuration.username,
    maskedToken: row.configuration.token,
    state: row.state,
    stateReason: row.state_reason,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}

export const WebhookConnection = connectionOf(() => Webhook, 'Webhook');

@ObjectType({ description: 'One attempt to deliver a message.' })
export class DeliveryAttempt {
  @Field(() => DateTime, { description: 'When it was made.' })
  at!: string;

  @Field(() => Int, { nullable: true, description: 'How long it took, in milliseconds.' })
  durationMs!: number | null;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the chat service; null when it did not answer.' })
  httpStatus!: number | null;

  @Field(() => String, { nullable: true, description: 'Error code of the chat service.' })
  errorCode!: string | null;

  @Field(() => DateTime, { nullable: true, description: 'When it will be tried again.' })
  retryAt!: string | null;
}

@ObjectType({ description: 'One message to the channel, and what became of it.' })
export class Delivery {
  @Field(() => ID, { description: 'The UUID of the delivery.' })
  id!: string;

  @Field(() => ID, { description: 'Id of the webhook.' })
  webhookId!: string;

  @Field(() => DeliveryStatus, { description: 'How far it came.' })
  status!: keyof typeof DeliveryStatus;

  @Field(() => [EventType], { description: 'The kinds of change it tells of.' })
  eventTypes!: readonly (keyof typeof EventType)[];

  @Field(() => Int, { description: 'How many changes it tells of; 0 for a test message.' })
  events!: number;

  @Field(() => Int, { nullable: true, description: 'The last revision it tells of.' })
  revision!: number | null;

  @Field(() => String, { nullable: true, description: 'The message as sent.' })
  text!: string | null;

  @Field(() => [DeliveryAttempt], { description: 'The attempts so far.' })
  attempts!: readonly DeliveryAttempt[];

  @Field(() => DateTime, { description: 'When it was queued.' })
  createdAt!: string;

  @Field(() => DateTime, { nullable: true, description: 'When its state last changed.' })
  modifiedAt!: string | null;
}

export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    webhookId: idOf(row.webhook),
    status: row.status,
    eventTypes: row.event_types,
    events: row.events,
    revision: row.revision,
    text: row.text,
    attempts: row.attempts.map((attempt) => ({
      at: attempt.at,
      durationMs: attempt.duration_ms,
      httpStatus: attempt.http_status,
      errorCode: attempt.error_code,
      retryAt: attempt.retry_at,
    })),
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  };
}

export const DeliveryConnection = connectionOf(() => Delivery, 'Delivery');

@InputType({ description: 'A new webhook.' })
export class CreateWebhookInput {
  @Field(() => String, { description: 'Its name.' })
  name!: string;

  @Field(() => [EventType], { description: 'The kinds of change to tell of; at least one.' })
  eventTypes!: readonly (keyof typeof EventType)[];

  @Field(() => String, { description: 'Bot token of the chat service. It is stored sealed and never shown again.' })
  token!: string;

  @Field(() => String, { description: 'The channel to write to: its id, or its name.' })
  channel!: string;

  @Field(() => String, { description: 'The name to write under.' })
  username!: string;
}

@InputType({ description: 'Changes of a webhook; what is left out stays.' })
export class UpdateWebhookInput {
  @Field(() => String, { nullable: true, description: 'New name.' })
  name?: string | null;

  @Field(() => [EventType], { nullable: true, description: 'The kinds of change to tell of from now on.' })
  eventTypes?: readonly (keyof typeof EventType)[] | null;

  @Field(() => String, { nullable: true, description: 'New bot token.' })
  token?: string | null;

  @Field(() => String, { nullable: true, description: 'New channel.' })
  channel?: string | null;

  @Field(() => String, { nullable: true, description: 'New name to write under.' })
  username?: string | null;
}

@ObjectType({ description: 'The webhook as it is now.' })
export class WebhookSaved {
  @Field(() => Webhook, { description: 'The webhook.' })
  webhook!: Webhook;

  @Field(() => Int, { nullable: true, description: 'Revision of the organization after this write.' })
  revision!: number | null;
}

@ObjectType({ description: 'The message that was queued or sent.' })
export class DeliveryMade {
  @Field(() => Delivery, { description: 'The message, and how far it came yet.' })
  delivery!: Delivery;

  @Field(() => Int, { nullable: true, description: 'Revision of the organization after this write.' })
  revision!: number | null;
}

export const WebhookResult = resultOf('WebhookResult', WebhookSaved, 'What became of a write of a webhook.');
export const DeliveryResult = resultOf('DeliveryResult', DeliveryMade, 'What became of the wish to send a message.');
