import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import {
  CreateDestination,
  type CreateDestinationMutationVariables,
  DeleteDestination,
  DestinationDeliveries,
  type DestinationDeliveriesQueryVariables,
  DestinationOf,
  type DestinationOfQuery,
  Destinations,
  type DestinationsQuery,
  EnableDestination,
  ReplayEvents,
  type ReplayEventsMutationVariables,
  RotateDestinationSecret,
  SendAgain,
  TestDestination,
  UpdateDestination,
  type UpdateDestinationMutationVariables,
} from '../graphql/destinations.graphql.ts';
import { requireSaved } from '../graphql/mutation-result.ts';
import { readAllPages, requestGraphql } from '../graphql/request.ts';
import { queryKeys } from './query-keys.ts';

export type ListedDestination = DestinationsQuery['destinations']['edges'][number]['node'];
export type DestinationDetails = NonNullable<DestinationOfQuery['destination']>;
export type SentMessage = ListedDestination['deliveries']['edges'][number]['node'];
export type DestinationInput = CreateDestinationMutationVariables['input'];
export type DestinationEvent = Extract<DestinationInput['eventTypes'], readonly unknown[]>[number];
type DeliveryFilter = Omit<DestinationDeliveriesQueryVariables, 'first'>;

/** The interval at which destinations are refetched, because events do not report deliveries. */
const REFETCH_INTERVAL_MS = 5_000;
const DELIVERIES = 25;

export const destinationKeys = queryKeys('destination', { on: ['destination'] }, (all) => ({
  list: [...all, 'list'],
  details: (id: string) => [...all, 'one', id],
  deliveries: (filter: DeliveryFilter) => [...all, 'deliveries', filter],
}));

/** The query for all destinations of the organization, of which there are at most 50. */
export const destinationsQuery = queryOptions({
  queryKey: destinationKeys.list,
  refetchInterval: REFETCH_INTERVAL_MS,
  queryFn: ({ signal }) =>
    readAllPages(async (after) => (await requestGraphql(Destinations, { after }, signal)).destinations),
});

/** The query for a destination; null if it does not exist. */
export const destinationQuery = (id: string) =>
  queryOptions({
    queryKey: destinationKeys.details(id),
    refetchInterval: REFETCH_INTERVAL_MS,
    queryFn: async ({ signal }) => (await requestGraphql(DestinationOf, { id }, signal)).destination ?? null,
  });

export const destinationDeliveriesQuery = (filter: DeliveryFilter) =>
  queryOptions({
    queryKey: destinationKeys.deliveries(filter),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_INTERVAL_MS,
    queryFn: async ({ signal }) =>
      (await requestGraphql(DestinationDeliveries, { first: DELIVERIES, ...filter }, signal)).destination?.deliveries ??
      null,
  });

/** Creates a destination. `secret` is the text that verifies its signatures; null if it has none. */
export async function createDestination(
  input: DestinationInput,
): Promise<{ readonly id: string; readonly secret: string | null }> {
  const { createDestination: result } = await requestGraphql(CreateDestination, { input });
  return requireSaved(result).newDestination;
}

/** Changes a destination. Omitted fields keep their values. */
export async function updateDestination(change: UpdateDestinationMutationVariables): Promise<void> {
  const { updateDestination: result } = await requestGraphql(UpdateDestination, change);
  requireSaved(result);
}

export async function deleteDestination({ id, ledgerId }: DestinationDetails): Promise<void> {
  const { deleteDestination: result } = await requestGraphql(DeleteDestination, { id, expectedLedgerId: ledgerId });
  requireSaved(result);
}

export async function resumeDestination(id: string): Promise<void> {
  const { enableDestination: result } = await requestGraphql(EnableDestination, { id });
  requireSaved(result);
}

/** Sends a test message and returns the response of the receiver. */
export async function testDestination(id: string): Promise<SentMessage> {
  const { testDestination: result } = await requestGraphql(TestDestination, { id });
  return requireSaved(result).destinationDelivery;
}

/** Queues a message again, and returns it. */
export async function sendAgain(id: string, deliveryId: string): Promise<SentMessage> {
  const { redeliverToDestination: result } = await requestGraphql(SendAgain, { id, deliveryId });
  return requireSaved(result).destinationDelivery;
}

/** Sends the events of a range of revisions again. Returns the number of queued messages and their events. */
export async function replayEvents(
  id: string,
  input: ReplayEventsMutationVariables['input'],
): Promise<{ readonly messages: number; readonly events: number }> {
  const { replayEvents: result } = await requestGraphql(ReplayEvents, { id, input });
  return requireSaved(result).replayResult;
}

/** Replaces the secret or the key pair of a destination. */
export async function rotateDestinationSecret(
  id: string,
  overlapHours: number,
): Promise<{ readonly secret: string | null; readonly publicKeys: readonly string[] }> {
  const { rotateDestinationSecret: result } = await requestGraphql(RotateDestinationSecret, {
    id,
    input: { overlapHours },
  });
  return requireSaved(result).newDestination;
}
