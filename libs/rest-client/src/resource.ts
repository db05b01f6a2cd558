import type { Page } from '@strata/contract';
import { UnexpectedAnswer } from './failure.ts';
import type { Answer, Call, Query, Transport } from './transport.ts';

/** Sends calls of one caller; remembers the newest revision that it was shown. */
export class Sender {
  private newest: number | null = null;

  constructor(private readonly transport: Transport) {}

  /** The newest revision of the organization among all answers so far. */
  get revision(): number | null {
    return this.newest;
  }

  async send<T>(call: Call): Promise<Answer<T>> {
    const answer = await this.transport.send<T>(call);
    if (answer.revision !== null) this.newest = Math.max(this.newest ?? 0, answer.revision);
    return answer;
  }

  /** For answers that must have a body. */
  async body<T>(call: Call): Promise<T> {
    const { body, status, requestId } = await this.send<T>(call);
    if (body === null) throw new UnexpectedAnswer(status, requestId);
    return body;
  }
}

/** `If-Match` for writes, so that nobody's change is overwritten unseen. */
export interface Condition {
  readonly ifMatch?: string;
}

/** The usual endpoints of one noun. The type parameters are its shapes in the contract. */
export class Resource<
  Item,
  ListQuery extends Query = Record<string, never>,
  Create = never,
  Update = never,
  Patch = never,
  ItemQuery extends Query = Record<string, never>,
  Created = Item,
> {
  constructor(
    protected readonly sender: Sender,
    private readonly collection: string,
  ) {}

  list(query?: ListQuery): Promise<Page<Item>> {
    return this.sender.body({ method: 'GET', path: this.collection, query });
  }

  /** Every item of every page, in order. */
  async *all(query?: ListQuery): AsyncGenerator<Item, void, undefined> {
    for (let page = 1; ; page += 1) {
      const { results, next } = await this.sender.body<Page<Item>>({
        method: 'GET',
        path: this.collection,
        query: { ...query, page },
      });
      yield* results;
      if (next === null) return;
    }
  }

  get(id: string, query?: ItemQuery): Promise<Item> {
    return this.sender.body({ method: 'GET', path: this.item(id), query });
  }

  /** `get` with ETag and revision; with `ifNoneMatch`, perhaps without a body. */
  read(id: string, query?: ItemQuery, ifNoneMatch?: string): Promise<Answer<Item>> {
    return this.sender.send({ method: 'GET', path: this.item(id), query, ifNoneMatch });
  }

  create(body: Create): Promise<Created> {
    return this.sender.body({ method: 'POST', path: this.collection, body });
  }

  update(id: string, body: Update, condition: Condition = {}): Promise<Item> {
    return this.sender.body({ method: 'PUT', path: this.item(id), body, ...condition });
  }

  patch(id: string, body: Patch, condition: Condition = {}): Promise<Item> {
    return this.sender.body({ method: 'PATCH', path: this.item(id), body, ...condition });
  }

  async delete(id: string, condition: Condition = {}): Promise<void> {
    await this.sender.send({ method: 'DELETE', path: this.item(id), ...condition });
  }

  private item(id: string): string {
    return `${this.collection}${encodeURIComponent(id)}/`;
  }
}
