import type { Destination, DestinationCreated, DestinationDelivery } from '@strata/contract';
import { destinationHint } from '@strata/webhooks';
import type { Links } from '../../../platform/http/links.ts';
import type { DestinationDeliveryRow, ShownDestination } from './destinations.reader.ts';

export interface DestinationWithSecret {
  readonly row: ShownDestination;
  /** The secret of an HMAC. No other response contains it. */
  readonly secret: string | null;
}

export function presentDestination(row: ShownDestination, links: Links): Destination {
  const { masked_address: address, project_ids, environment_ids, owner_id: owner, state_reason: reason, ...same } = row;
  return {
    url: links.destination(row.id),
    id: same.id,
    name: same.name,
    type: same.type,
    event_types: same.event_types,
    projects: project_ids.map(links.project),
    environments: environment_ids.map(links.environment),
    parameter_names: same.parameter_names,
    address,
    recipients: same.recipients,
    envelope: same.envelope,
    signing: same.signing,
    public_keys: same.public_keys,
    previous_secret_until: same.previous_secret_until,
    expiry_days: same.expiry_days,
    owner: owner === null ? null : links.user(owner),
    state: same.state,
    state_reason: reason,
    hint: reason === null ? null : destinationHint(reason.slice(reason.indexOf(': ') + 2)),
    failing_since: same.failing_since,
    created_at: same.created_at,
    modified_at: same.modified_at,
  };
}

export function presentDestinationWithSecret({ row, secret }: DestinationWithSecret, links: Links): DestinationCreated {
  return { ...presentDestination(row, links), secret };
}

export function presentDestinationDelivery(row: DestinationDeliveryRow, links: Links): DestinationDelivery {
  const code = row.attempts.at(-1)?.error_code ?? null;
  return {
    id: row.id,
    destination: links.destination(row.destination_id),
    message_id: row.message_id,
    kind: row.kind,
    status: row.status,
    event_types: row.event_types,
    events: row.events,
    revision: row.revision,
    text: row.text,
    attempts: row.attempts,
    next_attempt_at: row.next_attempt_at,
    hint: code === null ? null : destinationHint(code),
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}
