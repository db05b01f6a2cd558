import { type ConfigurationEvent, EVENT_TYPES } from '@strata/domain';
import fc from 'fast-check';
import { DIGEST_LINES_MAX } from './digest.ts';
import { type ChatMessage, render, renderTest } from './index.ts';
import { MESSAGE_LIMITS } from './message.ts';

const VALUE_UPDATED: ConfigurationEvent = {
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
};
const CONTEXT = { webhookName: 'ops', consoleUrl: 'https://strata.example/' };

describe('the message of a changeset', () => {
  const eventWithMessage = (message: string | null) => ({ ...VALUE_UPDATED, message });
  const footer = (...messages: (string | null)[]) =>
    JSON.stringify(render(messages.map(eventWithMessage), CONTEXT).blocks.at(-1));

  it('is shown as plain text if all events have the same one', () => {
    expect(footer('more <!channel> room')).toContain('more &lt;!channel&gt; room');
    expect(footer('a reason', 'a reason')).toContain('a reason');
  });

  it('is omitted if there are several', () => {
    expect(footer('one', 'two')).not.toContain('one');
    expect(footer('one', null)).not.toContain('one');
  });
});

describe('the message for one event', () => {
  it('names actor, event, object, project, environment, time and revision', () => {
    expect(render([VALUE_UPDATED], CONTEXT)).toEqual({
      text: 'dana changed the value of DB_HOST in billing › production (revision 12, 2026-11-20 22:40:07 UTC)',
      blocks: [
        {
          type: 'section',
          text: markdown('*dana* changed the value of *DB_HOST* in *billing* › *production*'),
          fields: [
            markdown('*Event*\nvalue_updated'),
            markdown('*Project*\nbilling'),
            markdown('*Environment*\nproduction'),
            markdown('*Revision*\n12'),
          ],
        },
        {
          type: 'context',
          elements: [
            markdown(
              '<!date^1795214407^{date_short_pretty} {time_secs}|2026-11-20 22:40:07 UTC> · revision 12 · ' +
                'webhook ops · <https://strata.example/|Open in Strata>',
            ),
          ],
        },
      ],
    });
  });

  it.each`
    type                     | object          | project      | environment     | expected
    ${'parameter_created'}   | ${'DB_HOST'}    | ${'billing'} | ${null}         | ${'dana created parameter DB_HOST in billing'}
    ${'parameter_deleted'}   | ${'DB_HOST'}    | ${'billing'} | ${null}         | ${'dana deleted parameter DB_HOST in billing'}
    ${'value_created'}       | ${'DB_HOST'}    | ${'billing'} | ${'production'} | ${'dana set a value of DB_HOST in billing › production'}
    ${'value_deleted'}       | ${'DB_HOST'}    | ${'billing'} | ${'production'} | ${'dana removed the value of DB_HOST in billing › production'}
    ${'project_updated'}     | ${'billing'}    | ${'billing'} | ${null}         | ${'dana changed project billing'}
    ${'environment_created'} | ${'production'} | ${null}      | ${'production'} | ${'dana created environment production'}
  `('of type $type says "$expected"', ({ type, object, project, environment, expected }) => {
    const event = {
      ...VALUE_UPDATED,
      type,
      object: { id: 'o', name: object, type: 'any' },
      parameter: null,
      project: project && { id: 'p', name: project },
      environment: environment && { id: 'e', name: environment },
    };
    expect(render([event], CONTEXT).text).toBe(`${expected} (revision 12, 2026-11-20 22:40:07 UTC)`);
  });

  it('shows nothing that an event should not contain', () => {
    const leaking = { ...VALUE_UPDATED, value: 'CANARY', parameter: { id: 'q1', name: 'PW', value: 'CANARY' } };
    expect(JSON.stringify(render([leaking], CONTEXT))).not.toContain('CANARY');
    expect(JSON.stringify(render([leaking, leaking], CONTEXT))).not.toContain('CANARY');
  });

  it('omits a console URL that is not a web address', () => {
    const message = render([VALUE_UPDATED], { webhookName: 'ops', consoleUrl: 'not an address' });
    expect(JSON.stringify(message)).not.toContain('Open in Strata');
  });
});

describe('a digest', () => {
  const production = { id: 'e1', name: 'production' };
  const staging = { id: 'e2', name: 'staging' };

  it('counts, groups by project and environment, and shows the range of revisions and times', () => {
    const events = [
      at(801, { environment: production }),
      at(802, { environment: staging, type: 'value_created' as const }),
      at(803, { environment: production }),
    ];
    const { text, blocks } = render(events, { webhookName: 'ops' });
    expect(text).toBe('3 changes in billing by dana (revisions 801–803)');
    expect(texts(blocks)).toEqual([
      '*3 changes* in *billing* by *dana*\n2 × value_updated · 1 × value_created',
      '*billing* › *production*\n' +
        '• dana changed the value of DB_HOST (revision 801)\n• dana changed the value of DB_HOST (revision 803)',
      '*billing* › *staging*\n• dana set a value of DB_HOST (revision 802)',
      expect.stringMatching(/^<!date\^1795214401\^.*> – <!date\^1795214403\^.*> · revisions 801–803 · webhook ops$/),
    ]);
  });

  it('counts projects and actors if there are several', () => {
    const otherEvent = at(2, { project: { id: 'p2', name: 'shop' }, actor: { id: 'u2', name: 'ci', type: 'service' } });
    expect(render([at(1), otherEvent], CONTEXT).text).toBe('2 changes in 2 projects by 2 actors (revisions 1–2)');
  });

  it('keeps counts exact if lines are omitted', () => {
    const { text, blocks } = render(
      Array.from({ length: 54 }, (_, index) => at(index + 1)),
      CONTEXT,
    );
    expect(text).toBe('54 changes in billing by dana (revisions 1–54)');
    expect(texts(blocks)).toContain('…and 34 more');
    expect(lines(blocks)).toHaveLength(DIGEST_LINES_MAX);
  });

  it('shows the last line if there are exactly as many events as lines', () => {
    const { blocks } = render(
      Array.from({ length: DIGEST_LINES_MAX }, (_, index) => at(index + 1)),
      CONTEXT,
    );
    expect(texts(blocks).join()).not.toContain('more');
    expect(lines(blocks)).toHaveLength(DIGEST_LINES_MAX);
  });
});

describe('every message', () => {
  it('stays within the limits of the chat service for any names', () => {
    fc.assert(
      fc.property(fc.array(anyEvent(), { minLength: 1, maxLength: 60 }), anyName(), (events, webhookName) => {
        const { text, blocks } = render(events, { webhookName, consoleUrl: `https://x.example/${'a'.repeat(400)}` });
        expect(blocks.length).toBeLessThanOrEqual(MESSAGE_LIMITS.blocks);
        for (const block of blocks) {
          const fields = block.type === 'section' ? (block.fields ?? []) : [];
          expect(fields.length).toBeLessThanOrEqual(MESSAGE_LIMITS.fields);
          for (const field of fields) expect(field.text.length).toBeLessThanOrEqual(MESSAGE_LIMITS.field);
        }
        for (const part of texts(blocks)) expect(part.length).toBeLessThanOrEqual(MESSAGE_LIMITS.section);
        const total = text.length + texts(blocks).join('').length;
        expect(total).toBeLessThanOrEqual(MESSAGE_LIMITS.total);
      }),
    );
  });

  it('stays within the limits if every name has the maximum length and needs escaping', () => {
    const name = '&'.repeat(40_000);
    const events = Array.from({ length: 60 }, (_, index) =>
      at(index, {
        actor: { id: `u${index}`, name, type: 'interactive' },
        project: { id: `p${index}`, name },
        environment: { id: `e${index}`, name },
        parameter: { id: `q${index}`, name },
      }),
    );
    const together = events.map((event) => ({ ...event, project: VALUE_UPDATED.project, environment: null }));
    for (const renderedEvents of [events.slice(0, 1), events, together]) {
      const { text, blocks } = render(renderedEvents, { webhookName: name });
      expect(blocks.length).toBeLessThanOrEqual(MESSAGE_LIMITS.blocks);
      for (const part of texts(blocks)) expect(part.length).toBeLessThanOrEqual(MESSAGE_LIMITS.section);
      expect(text.length + JSON.stringify(blocks).length).toBeLessThanOrEqual(MESSAGE_LIMITS.total);
    }
  });

  it('contains no markup of the chat service except its own dates and its own link', () => {
    fc.assert(
      fc.property(fc.array(anyEvent(), { minLength: 1, maxLength: 25 }), anyName(), (events, webhookName) => {
        const { text, blocks } = render(events, { webhookName, consoleUrl: 'https://strata.example/' });
        const generated =
          /<!date\^-?\d+\^\{date_short_pretty\} \{time_secs\}\|[-:0-9 ]+ UTC>|<https:\/\/strata\.example\/\|Open in Strata>/g;
        expect(text).not.toMatch(/[<>`]/);
        expect(texts(blocks).join('\n').replace(generated, '')).not.toMatch(/[<>`]/);
      }),
    );
  });

  it('counts every event exactly once', () => {
    fc.assert(
      fc.property(fc.array(anyEvent(), { minLength: 2, maxLength: 70 }), (events) => {
        const { text, blocks } = render(events, CONTEXT);
        expect(text).toMatch(new RegExp(`^${events.length} changes`));
        const counts = (texts(blocks)[0] ?? '').split('\n')[1] ?? '';
        const counted = Object.fromEntries(counts.split(' · ').map((part) => part.split(' × ').reverse()));
        for (const type of EVENT_TYPES) {
          expect(Number(counted[type] ?? 0)).toBe(events.filter((event) => event.type === type).length);
        }
        const more = texts(blocks)
          .find((part) => /^…and \d+ more$/.test(part))
          ?.match(/\d+/)?.[0];
        expect(lines(blocks).length + Number(more ?? 0)).toBe(events.length);
      }),
    );
  });

  it('requires at least one event', () => {
    expect(() => render([], CONTEXT)).toThrow('no event');
  });
});

describe('the test message', () => {
  it('names the webhook and escapes its name', () => {
    const { text, blocks } = renderTest('<!here> `ops`');
    expect(text).toBe('Test message: the webhook &lt;!here&gt; ops can post here.');
    expect(texts(blocks)[0]).toBe('Test message: the webhook *&lt;!here&gt; ops* can post here.');
  });
});

function markdown(text: string) {
  return { type: 'mrkdwn', text, verbatim: true };
}

function at(revision: number, change: Partial<ConfigurationEvent> = {}): ConfigurationEvent {
  return { ...VALUE_UPDATED, revision, at: new Date(1_795_213_600_000 + revision * 1_000).toISOString(), ...change };
}

/** Returns the text of each block. */
function texts(blocks: ChatMessage['blocks']): string[] {
  return blocks.map((block) =>
    block.type === 'section' ? block.text.text : block.elements.map(({ text }) => text).join(''),
  );
}

/** Returns the lines that each describe one event. */
function lines(blocks: ChatMessage['blocks']): string[] {
  return texts(blocks)
    .flatMap((text) => text.split('\n'))
    .filter((line) => /^• .* \(revision \d+\)$/.test(line));
}

function anyName(): fc.Arbitrary<string> {
  const nasty = ['<!channel>', '&'.repeat(300), '<', '>', '`', '*', '\ud83d', '😀'.repeat(200), '\n', '<!date^1^x|y>'];
  return fc.oneof(fc.constantFrom(...nasty), fc.string({ unit: 'grapheme', maxLength: 200 }));
}

function anyEvent(): fc.Arbitrary<ConfigurationEvent> {
  const named = fc.record({ id: fc.constantFrom('1', '2', '3', '4'), name: anyName() });
  const typedObjects = fc.record({ id: fc.constantFrom('1', '2'), name: anyName(), type: fc.constant('any') });
  return fc.record({
    cursor: fc.string(),
    type: fc.constantFrom(...EVENT_TYPES),
    action: fc.constantFrom('create', 'update', 'delete'),
    revision: fc.nat(),
    at: fc.oneof(
      fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-01-01') }).map((date) => date.toISOString()),
      anyName(),
    ),
    actor: typedObjects,
    object: typedObjects,
    project: fc.option(named),
    environment: fc.option(named),
    parameter: fc.option(named),
    changeset: fc.nat(),
    message: fc.option(anyName()),
  });
}
