import { buildSchema, type GraphQLSchema, parse } from 'graphql';
import { type SocketSubscription, subscribeShared } from './shared-messages.ts';

interface Change {
  readonly name: () => string;
  readonly revision: number;
}

let requests = 0;
let schema: GraphQLSchema;

beforeEach(() => {
  requests = 0;
  schema = buildSchema(
    'type Query { _: Int } type Change { name: String! revision: Int } type Subscription { changes: Change }',
  );
  const field = schema.getSubscriptionType()?.getFields().changes;
  if (field) field.resolve = (change) => change;
});

const change = (name: string, revision: number): Change => ({
  name: () => {
    requests += 1;
    return name;
  },
  revision,
});

const broken: Change = {
  name: () => {
    throw new Error('broken');
  },
  revision: 9,
};

/** Returns the messages that one subscription receives for some changes, and the results that are not shared. */
async function receives(
  changes: readonly Change[],
  query: string,
  { id = '1', variables = {} }: { readonly id?: string; readonly variables?: Record<string, unknown> } = {},
): Promise<{ frames: Buffer[]; messages: unknown[]; beside: unknown[] }> {
  const field = schema.getSubscriptionType()?.getFields().changes;
  if (field)
    field.subscribe = async function* () {
      yield* changes;
    };
  const frames: Buffer[] = [];
  const subscription: SocketSubscription = {
    schema,
    document: parse(query),
    variableValues: variables,
    id,
    key: JSON.stringify([query, variables]),
    write: async (frame) => void frames.push(frame),
  };
  const results = await subscribeShared(subscription);
  const beside: unknown[] = [];
  if (Symbol.asyncIterator in results) for await (const result of results) beside.push(result);
  const messages = frames.map((frame) => JSON.parse(frame.toString()));
  return { frames, messages, beside };
}

const NAMES = 'subscription { changes { name } }';

describe('a change with several subscribers', () => {
  it('is serialized once, and all identical subscriptions receive the same bytes', async () => {
    const changes = [change('a', 1), change('b', 2)];
    const all = await Promise.all(Array.from({ length: 50 }, () => receives(changes, NAMES)));

    expect(requests).toBe(2);
    for (const { frames, messages } of all) {
      expect(messages).toEqual([
        { id: '1', type: 'next', payload: { data: { changes: { name: 'a' } } } },
        { id: '1', type: 'next', payload: { data: { changes: { name: 'b' } } } },
      ]);
      expect(frames[1]).toBe(all[0]?.frames[1]);
    }
  });

  it('has the id that each client has chosen', async () => {
    const changes = [change('a', 1)];
    const ids = ['1', 'a "quoted" id', '1'];
    const all = await Promise.all(ids.map((id) => receives(changes, NAMES, { id })));

    expect(all.map(({ messages }) => (messages[0] as { id: string }).id)).toEqual(ids);
    expect(requests).toBe(1);
  });

  it('contains the fields that each subscription selects, with its variables', async () => {
    const changes = [change('a', 1)];
    const query = 'subscription ($long: Boolean!) { changes { revision name @include(if: $long) } }';
    const [short, long, aliased] = await Promise.all([
      receives(changes, query, { variables: { long: false } }),
      receives(changes, query, { variables: { long: true } }),
      receives(changes, 'subscription { changes { called: name } }'),
    ]);

    expect(short?.messages).toMatchObject([{ payload: { data: { changes: { revision: 1 } } } }]);
    expect(long?.messages).toMatchObject([{ payload: { data: { changes: { revision: 1, name: 'a' } } } }]);
    expect(aliased?.messages).toMatchObject([{ payload: { data: { changes: { called: 'a' } } } }]);
  });

  it('is not shared if its result has errors, which each socket reports itself', async () => {
    const { frames, beside } = await receives([broken, change('a', 1)], NAMES);

    expect(beside).toMatchObject([{ errors: [{ message: 'broken' }] }]);
    expect(frames).toHaveLength(1);
  });
});
