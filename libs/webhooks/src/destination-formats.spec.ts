import type { FeedEvent } from '@strata/domain';
import { AdaptiveCard, SerializationContext, Versions } from 'adaptivecards';
import { adaptiveCard } from './adaptive-card.ts';
import { discordMessage } from './discord-message.ts';
import { summarize } from './index.ts';
import type { MessageContent } from './outgoing.ts';

const HOSTILE = '[click](https://evil.example) <at>everyone</at> @everyone **bold** #1 `code` \\';

const event = (change: Partial<FeedEvent> = {}): FeedEvent => ({
  cursor: 'c1',
  type: 'value_updated',
  action: 'update',
  revision: 12,
  at: '2026-11-20T22:40:07.123456Z',
  actor: { id: 'u1', name: 'dana', type: 'interactive' },
  object: { id: 'v1', name: 'v1', type: 'Value' },
  project: { id: 'p1', name: 'billing' },
  environment: { id: 'e1', name: 'production' },
  parameter: { id: 'q1', name: 'DB_HOST' },
  changeset: 12,
  message: null,
  ...change,
});

const single: MessageContent = { kind: 'changes', events: [event()] };
const many: MessageContent = {
  kind: 'changes',
  events: Array.from({ length: 100 }, (_, index) =>
    event({
      revision: 12 + index,
      parameter: { id: 'q', name: `${HOSTILE}${index}`.padEnd(256, 'x') },
      message: HOSTILE,
    }),
  ),
};
const hostile: MessageContent = { kind: 'changes', events: [event({ parameter: { id: 'q', name: HOSTILE } })] };
const expirations: MessageContent = {
  kind: 'expirations',
  values: [
    {
      id: 'v1',
      project: { id: 'p1', name: 'billing' },
      environment: { id: 'e1', name: 'production' },
      parameter: { id: 'q1', name: 'API_KEY' },
      secret: true,
      expires_at: '2026-12-01T00:00:00.000000Z',
      days: 7,
    },
  ],
};
const CONTENTS = { single, many, hostile, expirations, test: { kind: 'test' } as const };

interface CardMessage {
  readonly attachments: readonly [{ readonly contentType: string; readonly content: object }];
}

const renderCard = (content: MessageContent) => adaptiveCard(summarize(content, 'ops')) as unknown as CardMessage;

describe('the adaptive card for Teams', () => {
  it.each(Object.entries(CONTENTS))('of the message %s is valid for the renderer of Microsoft', (_, content) => {
    const { attachments } = renderCard(content);
    expect(attachments[0].contentType).toBe('application/vnd.microsoft.card.adaptive');
    const card = new AdaptiveCard();
    const context = new SerializationContext(Versions.v1_4);
    card.parse(attachments[0].content, context);
    const failures = [...Array(context.eventCount).keys()].map((index) => context.getEventAt(index).message);
    expect(failures).toEqual([]);
    expect(card.validateProperties().validationEvents).toEqual([]);
    expect(card.getItemCount()).toBeGreaterThan(1);
    // Teams accepts 28 kB.
    expect(Buffer.byteLength(JSON.stringify(renderCard(content)))).toBeLessThan(28_000);
  });

  it('shows names as they are', () => {
    const text = JSON.stringify(renderCard(hostile));
    expect(text).toContain('\\\\[click\\\\]\\\\(https');
    expect(text).not.toContain('<at>');
  });
});

interface DiscordMessage {
  readonly allowed_mentions: object;
  readonly embeds: readonly [
    {
      readonly title: string;
      readonly description?: string;
      readonly fields: readonly { name: string; value: string }[];
    },
  ];
}

describe('the message for Discord', () => {
  it.each(Object.entries(CONTENTS))('of the message %s is within the documented limits', (_, content) => {
    const { embeds, allowed_mentions } = discordMessage(summarize(content, 'ops')) as DiscordMessage;
    const [{ title, description = '', fields }] = embeds;
    expect(allowed_mentions).toEqual({ parse: [] });
    expect([title.length > 0, title.length <= 256, description.length <= 4_096, fields.length <= 25]).toEqual(
      Array(4).fill(true),
    );
    const total = [title, description, ...fields.flatMap(({ name, value }) => [name, value])].join('').length;
    expect(total).toBeLessThanOrEqual(6_000);
    for (const { name, value } of fields) expect([name.length <= 256, value.length <= 1_024]).toEqual([true, true]);
  });

  it('shows names as they are', () => {
    const { embeds } = discordMessage(summarize(hostile, 'ops')) as DiscordMessage;
    expect(embeds[0].title).toContain('\\[click\\]\\(https://evil.example\\)');
    expect(embeds[0].title).toContain('\\@everyone');
  });
});

it('a summary contains counts, names, revisions and the reason', () => {
  expect(summarize(single, 'ops')).toEqual({
    title: 'dana changed the value of DB_HOST in billing › production',
    lines: [],
    hidden: 0,
    facts: [
      ['Revision', '12'],
      ['Time', '2026-11-20 22:40:07 UTC'],
      ['Destination', 'ops'],
    ],
  });
  const digest = summarize(many, 'ops');
  expect([digest.title, digest.lines.length, digest.hidden]).toEqual(['100 changes in billing by dana', 20, 80]);
  expect(
    summarize(
      {
        kind: 'changes',
        events: [
          event({
            type: 'service_account_deleted',
            parameter: null,
            object: { id: 's', name: 'ci', type: 'ServiceAccount' },
          }),
        ],
      },
      'ops',
    ).title,
  ).toBe('dana deleted service account ci');
  expect(summarize(expirations, 'ops').title).toBe(
    'The value of API_KEY in billing › production expires on 2026-12-01 00:00:00 UTC',
  );
});
