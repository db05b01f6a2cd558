import type { OrganizationId, Revision } from '@strata/domain';
import type { DataSource, EntityManager } from 'typeorm';
import { currentLimits } from '../limits/request-limits.ts';
import { responseTooLongError, TEXT_COPIES, TEXTS_BYTES_MAX, UNRESERVED_BYTES_MAX } from '../limits/response-limits.ts';
import { poolOf } from './data-source.ts';
import type { StandbyReads } from './standby-reads.ts';
import { acrossOrganizations, withinNone } from './tenants.ts';
import { type PointInTime, versionParameters } from './versioned-table.ts';

export interface PageBounds {
  readonly limit: number;
  readonly offset: number;
}

export interface Filter {
  /** SQL with `?` in place of the value. */
  readonly sql: string;
  readonly value: unknown;
}

/** A source of rows. */
export interface RowSource {
  /** A table or subquery without an alias. Filters, columns and order refer to it as `object`. */
  readonly from: string;
  readonly columns: string;
  readonly filters?: readonly Filter[];
  /** The values that `from` and `columns` refer to as $5 and up. */
  readonly values?: readonly unknown[];
}

/** A condition that binds its values and uses the parameters it gets for them. */
export type Condition = (bind: (value: unknown) => string) => string;

export interface PagedSource extends RowSource {
  readonly order: string;
  readonly page: PageBounds;
  /** Restricts the rows of the page, but not their total count. */
  readonly after?: Condition | undefined;
  /** SQL for the bytes of text in a row, if rows may be long. A large page is read when there is memory for it. */
  readonly textBytes?: string;
}

export interface PageResult<T> {
  readonly revision: Revision;
  readonly count: number;
  /** The number of rows after the given cursor. */
  readonly following?: number;
  readonly rows: T[];
}

export interface RowResult<T> {
  readonly revision: Revision;
  readonly row: T;
}

/** A revision that is already known, or the present. */
interface Reading {
  readonly organizationId: OrganizationId;
  readonly at: PointInTime;
}

const FIRST: PageBounds = { limit: 1, offset: 0 };

type Run = (text: string, values: unknown[]) => Promise<unknown[]>;

/**
 * Reads in one statement, and therefore from one consistent snapshot, together with the revision of that snapshot. Rows
 * arrive as JSON text, because PostgreSQL writes it and V8 parses it faster than rows of columns.
 */
export class SnapshotReader {
  private constructor(
    private readonly run: Run,
    private readonly runUnlimited?: Run,
    private readonly standbys?: StandbyReads,
  ) {}

  /** Reads committed rows, within the request's share of its organization's limits. */
  static committed(dataSource: DataSource, standbys?: StandbyReads): SnapshotReader {
    const run: Run = async (text, values) => (await poolOf(dataSource).query(text, values)).rows;
    const runInTurn: Run = async (text, values) => {
      await currentLimits()?.acquireSlot();
      return run(text, values);
    };
    return new SnapshotReader(runInTurn, run, standbys);
  }

  /** Reads committed rows without limits. Use it for reads that requests of several organizations share. */
  get unlimited(): SnapshotReader {
    return this.unlimitedBy(acrossOrganizations);
  }

  /** Runs functions that need no token, without limits. */
  get unlimitedInNone(): SnapshotReader {
    return this.unlimitedBy(withinNone);
  }

  private unlimitedBy(confine: (work: () => Promise<unknown[]>) => Promise<unknown[]>): SnapshotReader {
    const { runUnlimited } = this;
    if (!runUnlimited) return this;
    return new SnapshotReader((text, values) => confine(() => runUnlimited(text, values)));
  }

  /** Reads inside a write, which sees its own rows and only committed rows of other writes. */
  static within(em: EntityManager): SnapshotReader {
    return new SnapshotReader((text, values) => em.query(text, values));
  }

  /** Returns several sets of rows of one snapshot. `values` are $3 and up ($1 is the organization, $2 the revision). */
  async sets<T extends object>(
    { organizationId, at }: Reading,
    queries: { readonly [Name in keyof T]: string },
    values: readonly unknown[] = [],
  ): Promise<T & { revision: Revision }> {
    const columns = Object.entries<string>(queries).map(
      ([name, sql]) => `(select coalesce(json_agg(record), '[]') from (${sql}) record) as "${name}"`,
    );
    const [row] = await this.atHead<T & { revision: Revision }>(
      organizationId,
      `select head.revision, ${columns.join(',\n')} from organization_head head where head.organization_id = $1 and $2::bigint is not distinct from $2`,
      [...versionParameters(organizationId, at), ...values],
    );
    if (!row) throw new Error(`Organization ${organizationId} has no head.`);
    return at === 'now' ? row : { ...row, revision: at };
  }

  /** Returns one page of rows and the total count. Throws `answer_too_long` if their texts exceed the limit. */
  async page<T>(readOptions: Reading, source: PagedSource): Promise<PageResult<T>> {
    const share = source.textBytes === undefined ? undefined : currentLimits();
    const pageWithSize = await this.readPage<T>(readOptions, source, share !== undefined);
    const { textBytes, ...page } = pageWithSize;
    if (!share || textBytes * TEXT_COPIES <= UNRESERVED_BYTES_MAX) return page;
    if (textBytes > TEXTS_BYTES_MAX) throw responseTooLongError();
    await share.reserveMemory(textBytes * TEXT_COPIES);
    const { textBytes: _, ...complete } = await this.readPage<T>(readOptions, source, false);
    return complete;
  }

  /** If the page has too much text, it returns only the size of that text. */
  private async readPage<T>(
    { organizationId, at }: Reading,
    { from, columns, filters = [], values: bound = [], order, page, after, textBytes = '0' }: PagedSource,
    isBounded: boolean,
  ): Promise<PageResult<T> & { readonly textBytes: number }> {
    const values: unknown[] = [...versionParameters(organizationId, at), page.limit, page.offset, ...bound];
    const bind = (value: unknown) => `$${values.push(value)}`;
    const whereConditions = filters.map(({ sql, value }) => `(${sql.replaceAll('?', bind(value))})`);
    const restSql = after && `following as (select object.* from matching object where ${after(bind)})`;
    const onPage = `(select object.* from ${restSql ? 'following' : 'matching'} object order by ${order} limit $3 offset $4) object`;
    const rows = `(select coalesce(json_agg(record), '[]') from (select ${columns} from ${onPage} order by ${order}) record)`;
    const bytes = isBounded ? `(select coalesce(sum(${textBytes}), 0) from ${onPage})` : '0';
    const [row] = await this.atHead<PageResult<T> & { readonly textBytes: number }>(
      organizationId,
      `with matching as (select object.* from ${from} object ${whereConditions.length ? `where ${whereConditions.join(' and ')}` : ''})${restSql ? `, ${restSql}` : ''}
       select head.revision, (select count(*)::int from matching) as count, ${bytes}::int8 as "textBytes",
              ${restSql ? '(select count(*)::int from following) as following,' : ''}
              ${isBounded ? `case when ${bytes} <= ${UNRESERVED_BYTES_MAX / TEXT_COPIES} then ${rows} end` : rows} as rows
         from organization_head head where head.organization_id = $1 and $2::bigint is not distinct from $2`,
      values,
    );
    if (!row) throw new Error(`Organization ${organizationId} has no head.`);
    return at === 'now' ? row : { ...row, revision: at };
  }

  /**
   * Returns the row with this id. Throws the result of `absent` if the organization has no such row at that point in
   * time.
   */
  async retrieve<T>(
    readOptions: Reading,
    source: RowSource,
    id: string,
    createMissingError: () => Error | Promise<Error>,
  ): Promise<RowResult<T>> {
    const filters = [...(source.filters ?? []), { sql: 'object.id = ?', value: id }];
    const { rows, revision } = await this.page<T>(readOptions, { ...source, filters, order: 'object.id', page: FIRST });
    const [row] = rows;
    if (!row) throw await createMissingError();
    return { revision, row };
  }

  /** Runs another single statement that reads rows of one organization, and its revision from `organization_head`. */
  async atHead<Row extends object>(
    organizationId: OrganizationId,
    text: string,
    values: readonly unknown[],
  ): Promise<Row[]> {
    if (this.standbys?.isConfigured) {
      await currentLimits()?.acquireSlot();
      const rows = await this.standbys.read(organizationId, { text, values });
      if (rows) return rows as Row[];
    }
    return this.query(text, values);
  }

  /** Runs any other single statement. */
  async query<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return (await this.run(text, [...values])) as Row[];
  }
}
