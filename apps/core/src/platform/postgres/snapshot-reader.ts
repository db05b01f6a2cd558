import type { OrganizationId, Revision } from '@strata/domain';
import type { DataSource, EntityManager } from 'typeorm';
import { answerTooLong, TEXT_COPIES, TEXTS_BYTES_MAX, UNRESERVED_BYTES_MAX } from '../limits/answer-limits.ts';
import { currentLimits } from '../limits/request-limits.ts';
import { poolOf } from './data-source.ts';
import { type PointInTime, parametersOf } from './versioned-table.ts';

export interface PageBounds {
  readonly limit: number;
  readonly offset: number;
}

export interface Filter {
  /** SQL with `?` where the value goes. */
  readonly sql: string;
  readonly value: unknown;
}

/** Rows that can be read. */
export interface RowSource {
  /** A table or subquery without alias; it is known as `o` in filters, columns and order. */
  readonly from: string;
  readonly columns: string;
  readonly filters?: readonly Filter[];
  /** What `from` and `columns` know as $5 and up. */
  readonly values?: readonly unknown[];
}

/** A condition that numbers the values that it holds. */
export type Condition = (bind: (value: unknown) => string) => string;

export interface PagedSource extends RowSource {
  readonly order: string;
  readonly page: PageBounds;
  /** Only rows that this holds for are on the page; all of them are counted. */
  readonly after?: Condition | undefined;
  /** SQL: the bytes of text in a row, where rows may be long. A page of much is then read when there is room for it. */
  readonly textBytes?: string;
}

export interface PageOf<T> {
  readonly revision: Revision;
  readonly count: number;
  /** How many lie after the cursor that was given. */
  readonly following?: number;
  readonly rows: T[];
}

export interface OneOf<T> {
  readonly revision: Revision;
  readonly row: T;
}

/** A point in time that is a known revision, or the present. */
interface Reading {
  readonly organizationId: OrganizationId;
  readonly at: PointInTime;
}

const FIRST: PageBounds = { limit: 1, offset: 0 };

/**
 * Reads in one statement, hence from one consistent snapshot, together with the revision of that snapshot.
 * Rows travel as JSON text: PostgreSQL writes it and V8 reads it faster than either handles rows of columns.
 */
export class SnapshotReader {
  private constructor(
    private readonly run: (text: string, values: unknown[]) => Promise<unknown[]>,
    private readonly unlimitedReader?: SnapshotReader,
  ) {}

  /** Reads what is committed, at the place that the request has in its organization's share. */
  static committed(dataSource: DataSource): SnapshotReader {
    const run = async (text: string, values: unknown[]) => (await poolOf(dataSource).query(text, values)).rows;
    const runInTurn = async (text: string, values: unknown[]) => {
      await currentLimits()?.acquireSlot();
      return run(text, values);
    };
    return new SnapshotReader(runInTurn, new SnapshotReader(run));
  }

  /** The same at once, for what requests of several organizations wait for together: it is no one's share. */
  get unlimited(): SnapshotReader {
    return this.unlimitedReader ?? this;
  }

  /** Reads inside a write, which sees its own rows and nobody else's halves. */
  static within(em: EntityManager): SnapshotReader {
    return new SnapshotReader((text, values) => em.query(text, values));
  }

  /** Several sets of rows of one snapshot. `values` are $3 and up ($1 is the organization, $2 the revision). */
  async sets<T extends object>(
    { organizationId, at }: Reading,
    queries: { readonly [Name in keyof T]: string },
    values: readonly unknown[] = [],
  ): Promise<T & { revision: Revision }> {
    const columns = Object.entries<string>(queries).map(
      ([name, sql]) => `(select coalesce(json_agg(r), '[]') from (${sql}) r) as "${name}"`,
    );
    const [row] = await this.query<T & { revision: Revision }>(
      `select h.revision, ${columns.join(',\n')} from organization_head h where h.organization_id = $1 and $2::bigint is not distinct from $2`,
      [...parametersOf(organizationId, at), ...values],
    );
    if (!row) throw new Error(`Organization ${organizationId} has no head.`);
    return at === 'now' ? row : { ...row, revision: at };
  }

  /** One page of rows, and how many there are in all. Throws `answer_too_long` when its texts are. */
  async page<T>(reading: Reading, source: PagedSource): Promise<PageOf<T>> {
    const share = source.textBytes === undefined ? undefined : currentLimits();
    const found = await this.readPage<T>(reading, source, share !== undefined);
    const { textBytes, ...page } = found;
    if (!share || textBytes * TEXT_COPIES <= UNRESERVED_BYTES_MAX) return page;
    if (textBytes > TEXTS_BYTES_MAX) throw answerTooLong();
    await share.reserveMemory(textBytes * TEXT_COPIES);
    const { textBytes: _, ...complete } = await this.readPage<T>(reading, source, false);
    return complete;
  }

  /** Bounded: of a page with much text only how much it is. */
  private async readPage<T>(
    { organizationId, at }: Reading,
    { from, columns, filters = [], values: bound = [], order, page, after, textBytes = '0' }: PagedSource,
    isBounded: boolean,
  ): Promise<PageOf<T> & { readonly textBytes: number }> {
    const values: unknown[] = [...parametersOf(organizationId, at), page.limit, page.offset, ...bound];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const where = filters.map(({ sql, value }) => `(${sql.replaceAll('?', bind(value))})`);
    const rest = after && `following as (select o.* from matching o where ${after(bind)})`;
    const onPage = `(select o.* from ${rest ? 'following' : 'matching'} o order by ${order} limit $3 offset $4) o`;
    const rows = `(select coalesce(json_agg(r), '[]') from (select ${columns} from ${onPage} order by ${order}) r)`;
    const bytes = isBounded ? `(select coalesce(sum(${textBytes}), 0) from ${onPage})` : '0';
    const [row] = await this.query<PageOf<T> & { readonly textBytes: number }>(
      `with matching as (select o.* from ${from} o ${where.length ? `where ${where.join(' and ')}` : ''})${rest ? `, ${rest}` : ''}
       select h.revision, (select count(*)::int from matching) as count, ${bytes}::int8 as "textBytes",
              ${rest ? '(select count(*)::int from following) as following,' : ''}
              ${isBounded ? `case when ${bytes} <= ${UNRESERVED_BYTES_MAX / TEXT_COPIES} then ${rows} end` : rows} as rows
         from organization_head h where h.organization_id = $1 and $2::bigint is not distinct from $2`,
      values,
    );
    if (!row) throw new Error(`Organization ${organizationId} has no head.`);
    return at === 'now' ? row : { ...row, revision: at };
  }

  /** The row with an id; what `absent` answers is thrown when there is none, in this organization or at that time. */
  async one<T>(
    reading: Reading,
    source: RowSource,
    id: string,
    absent: () => Error | Promise<Error>,
  ): Promise<OneOf<T>> {
    const filters = [...(source.filters ?? []), { sql: 'o.id = ?', value: id }];
    const { rows, revision } = await this.page<T>(reading, { ...source, filters, order: 'o.id', page: FIRST });
    const [row] = rows;
    if (!row) throw await absent();
    return { revision, row };
  }

  /** Any other single statement. */
  async query<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return (await this.run(text, [...values])) as Row[];
  }
}
