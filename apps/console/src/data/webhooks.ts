import { pointerSegments } from '@strata/domain';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { requireSaved } from '../graphql/mutation-result.ts';
import { readAllPages, requestGraphql } from '../graphql/request.ts';
import {
  CreateWebhook,
  type CreateWebhookMutationVariables,
  DeleteWebhook,
  DeliveriesOf,
  type DeliveriesOfQueryVariables,
  EnableWebhook,
  Redeliver,
  TestWebhook,
  UpdateWebhook,
  type UpdateWebhookMutationVariables,
  WebhookOf,
  type WebhookOfQuery,
  Webhooks,
  type WebhooksQuery,
} from '../graphql/webhooks.graphql.ts';
import { WriteError } from '../lib/request-error.ts';
import { queryKeys } from './query-keys.ts';

export type ListedWebhook = WebhooksQuery['webhooks']['edges'][number]['node'];
export type WebhookDetails = NonNullable<WebhookOfQuery['webhook']>;
export type ListedDelivery = ListedWebhook['deliveries']['edges'][number]['node'];
export type DeliveryFilter = Omit<DeliveriesOfQueryVariables, 'first'>;
export type WebhookInput = CreateWebhookMutationVariables['input'];

/** The interval at which webhooks are refetched, because events do not report deliveries. */
const LOOK_AGAIN_MS = 5_000;
const DELIVERIES = 25;

export const webhookKeys = queryKeys('webhook', { on: ['webhook'] }, (all) => ({
  list: [...all, 'list'],
  details: (id: string) => [...all, 'one', id],
  deliveries: (filter: DeliveryFilter) => [...all, 'deliveries', filter],
}));

/** The query for all webhooks of the organization, of which there are at most twenty. */
export const webhooksQuery = queryOptions({
  queryKey: webhookKeys.list,
  refetchInterval: LOOK_AGAIN_MS,
  queryFn: ({ signal }) => readAllPages(async (after) => (await requestGraphql(Webhooks, { after }, signal)).webhooks),
});

/** The query for a webhook; null if it does not exist. */
export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: webhookKeys.details(id),
    refetchInterval: LOOK_AGAIN_MS,
    queryFn: async ({ signal }) => (await requestGraphql(WebhookOf, { id }, signal)).webhook ?? null,
  });

export const deliveriesQuery = (filter: DeliveryFilter) =>
  queryOptions({
    queryKey: webhookKeys.deliveries(filter),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
    queryFn: async ({ signal }) =>
      (await requestGraphql(DeliveriesOf, { first: DELIVERIES, ...filter }, signal)).webhook?.deliveries ?? null,
  });

/** Creates a webhook and returns its id. */
export async function createWebhook(input: WebhookInput): Promise<string> {
  const { createWebhook: result } = await requestGraphql(CreateWebhook, { input });
  return atFields(() => requireSaved(result).webhook.id);
}

/** Changes a webhook. Omitted fields keep their values. */
export async function updateWebhook(change: UpdateWebhookMutationVariables): Promise<void> {
  const { updateWebhook: result } = await requestGraphql(UpdateWebhook, change);
  atFields(() => requireSaved(result));
}

export async function deleteWebhook({ id, ledgerId }: WebhookDetails): Promise<void> {
  const { deleteWebhook: result } = await requestGraphql(DeleteWebhook, { id, expectedLedgerId: ledgerId });
  requireSaved(result);
}

export async function resumeWebhook(id: string): Promise<void> {
  const { enableWebhook: result } = await requestGraphql(EnableWebhook, { id });
  requireSaved(result);
}

/** Sends a test message and returns the response of the chat service. */
export async function testWebhook(id: string): Promise<ListedDelivery> {
  const { testWebhook: result } = await requestGraphql(TestWebhook, { id });
  return requireSaved(result).delivery;
}

export async function redeliver(id: string, deliveryId: string): Promise<ListedDelivery> {
  const { redeliver: result } = await requestGraphql(Redeliver, { id, deliveryId });
  return requireSaved(result).delivery;
}

/** Runs a write, and attributes errors in the configuration to its settings, such as `token`. */
function atFields<Result>(write: () => Result): Result {
  try {
    return write();
  } catch (error) {
    if (!(error instanceof WriteError)) throw error;
    const fieldErrors = error.fieldErrors.map((fieldError) => {
      const [member, setting] = pointerSegments(fieldError.pointer);
      return member === 'configuration' && setting
        ? { ...fieldError, field: setting, message: fieldError.detail }
        : fieldError;
    });
    throw new WriteError(error.code, error.message, fieldErrors, error.isOutdated, error.pointer);
  }
}
