import type { OrganizationId, Revision } from '@strata/domain';
import type { DataSource, EntityManager } from 'typeorm';
import { poolOf } from './data-source.ts';
import { type PointInTime, parametersOf } from './versioned-table.ts';

export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export interface Filter {
  /** SQL with `?` where the value goes. */
  readonly sql: string;
  readonly value: unknown;
}

export interface PageQuery {
  /** A table or subquery without alias; it is known as `o` in filters, columns and order. */
  readonly from: string;
  readonly columns: string;
  readonly filters?: readonly Filter[];
  readonly order: string;
  readonly page: Page;
}

export interface PageOf<T> {
  readonly revision: Revision;
  readonly count: number;
  readonly rows: T[];
}

/** A point in time that is a known revision, or the present. */
interface Reading {
  readonly organizationId: OrganizationId;
  readonly at: PointInTime;
}

/**
 * Reads in one statement, hence from one consistent snapshot, together with the revision of that snapshot.
 * Rows travel as JSON text: PostgreSQL writes it and V8 reads it faster than either handles rows of columns.
 */
export class SnapshotReader {
  private constructor(private readonly run: (text: string, values: unknown[]) => Promise<unknown[]>) {}

  /** Reads what is committed. */
  static committed(dataSource: DataSource): SnapshotReader {
    return new SnapshotReader(async (text, values) => (await poolOf(dataSource).query(text, values)).rows);
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

  /** One page of rows, and how many there are in all. */
  async page<T>(
    { organizationId, at }: Reading,
    { from, columns, filters = [], order, page }: PageQuery,
  ): Promise<PageOf<T>> {
    const values: unknown[] = [...parametersOf(organizationId, at), page.limit, page.offset];
    const where = filters.map(({ sql, value }) => {
      values.push(value);
      return `(${sql.replaceAll('?', `$${values.length}`)})`;
    });
    const [row] = await this.query<PageOf<T>>(
      `with matching as (select o.* from ${from} o ${where.length ? `where ${where.join(' and ')}` : ''})
       select h.revision, (select count(*)::int from matching) as count,
              (select coalesce(json_agg(r), '[]')
                 from (select ${columns} from (select o.* from matching o order by ${order} limit $3 offset $4) o
                        order by ${order}) r) as rows
         from organization_head h where h.organization_id = $1 and $2::bigint is not distinct from $2`,
      values,
    );
    if (!row) throw new Error(`Organization ${organizationId} has no head.`);
    return at === 'now' ? row : { ...row, revision: at };
  }

  /** Any other single statement. */
  async query<Row extends object>(text: string, values: readonly unknown[]): Promise<Row[]> {
    return (await this.run(text, [...values])) as Row[];
  }
}
