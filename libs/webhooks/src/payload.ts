import type { OutgoingMessage } from './outgoing.ts';

export const ENVELOPES = ['standard', 'cloudevents'] as const;
export type Envelope = (typeof ENVELOPES)[number];

const TYPES = {
  changes: 'configuration.changed',
  expirations: 'value.expires_soon',
  test: 'destination.test',
} as const satisfies Record<OutgoingMessage['content']['kind'], string>;

export interface Payload {
  readonly contentType: string;
  readonly body: string;
}

/** Returns the body of a signed request: a payload of Standard Webhooks, or a CloudEvent in structured mode. */
export function buildPayload(message: OutgoingMessage, envelope: Envelope): Payload {
  const { content, at } = message;
  const type = TYPES[content.kind];
  const data = buildData(message);
  if (envelope === 'standard') {
    return { contentType: 'application/json', body: JSON.stringify({ type, timestamp: at, data }) };
  }
  const event = {
    specversion: '1.0',
    id: message.id,
    source: `urn:uuid:${message.organizationId}`,
    type: `strata.${type}`,
    time: at,
    ...(content.kind === 'changes' && { subject: `revisions/${content.events.at(-1)?.revision}` }),
    datacontenttype: 'application/json',
    data,
  };
  return { contentType: 'application/cloudevents+json; charset=utf-8', body: JSON.stringify(event) };
}

function buildData({ organizationId, destination, content }: OutgoingMessage): object {
  const commonMembers = { organization: organizationId, destination };
  switch (content.kind) {
    case 'changes': {
      const { events } = content;
      return { ...commonMembers, revision: events.at(-1)?.revision ?? null, events };
    }
    case 'expirations':
      return { ...commonMembers, values: content.values };
    case 'test':
      return commonMembers;
  }
}
