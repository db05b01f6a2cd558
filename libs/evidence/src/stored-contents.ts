import { hash } from 'node:crypto';
import type { LedgerQuery } from './ledger-query.ts';
import { leafHash } from './merkle-tree.ts';

/** A table whose rows have versions. Each version belongs to the revision that wrote it. */
export interface ContentTable {
  readonly table: string;
  /** The name that changes use for its objects. */
  readonly objectType: string;
  /** The columns that users write. */
  readonly columns: readonly string[];
  /**
   * The columns that were added after rows were digested, with the texts of the values that these rows have got; null for null.
   * Digests leave out a column with this value, so those of earlier rows do not change.
   */
  readonly laterColumns?: Readonly<Record<string, string | null>>;
}

/** The tables that checkpoints cover. `reference` is derived from the texts of values and templates, so it is absent. */
export const CONTENT_TABLES: readonly ContentTable[] = [
  { table: 'environment', objectType: 'Environment', columns: ['name', 'description', 'parent_id'] },
  {
    ...{ table: 'project', objectType: 'Project' },
    columns: ['name', 'description', 'parameter_name_pattern', 'depends_on_id'],
  },
  { table: 'parameter_type', objectType: 'ParameterType', columns: ['name', 'description', 'parent_id'] },
  {
    ...{ table: 'parameter_type_rule', objectType: 'ParameterTypeRule' },
    columns: ['type_id', 'kind', 'constraint_text'],
  },
  {
    ...{ table: 'parameter', objectType: 'Parameter' },
    columns: ['project_id', 'name', 'description', 'secret', 'type_id', 'expires', 'expiration_action'],
  },
  { table: 'parameter_rule', objectType: 'ParameterRule', columns: ['parameter_id', 'kind', 'constraint_text'] },
  {
    ...{ table: 'value', objectType: 'Value' },
    columns: ['parameter_id', 'environment_id', 'text', 'sealed', 'interpolated', 'source'],
  },
  { table: 'template', objectType: 'Template', columns: ['project_id', 'name', 'description', 'body'] },
];

/** The only column of bytes. The text of others does not depend on settings of the session. */
const SEALED = 'sealed';
const wireTime = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/**
 * Returns SQL for the digest of a version. `ledger_id` is random, so a digest does not confirm a guess of a text to people who
 * may not read the row. A secret is covered as it is stored: encrypted.
 */
function digestSql({ table, columns, laterColumns = {} }: ContentTable): string {
  const texts = columns.map((column) =>
    column === SEALED ? `'${SEALED}', encode(version.${SEALED}, 'hex')` : `'${column}', version.${column}::text`,
  );
  const laterTexts = Object.entries(laterColumns).map(([column, text]) =>
    text === null ? `'${column}', version.${column}::text` : `'${column}', nullif(version.${column}::text, '${text}')`,
  );
  const stamps = `'id', version.id, 'ledger_id', version.ledger_id, 'created_at', ${wireTime('version.created_at')}, 'modified_at', ${wireTime('version.modified_at')}`;
  return `sha256(convert_to(jsonb_strip_nulls(jsonb_build_object('table', '${table}', ${stamps}, ${[...texts, ...laterTexts].join(', ')}))::text, 'UTF8'))`;
}

const everyVersion = (select: (content: ContentTable, relation: string, order: number) => string) =>
  CONTENT_TABLES.flatMap((content, order) =>
    [content.table, `${content.table}_history`].map((relation) => select(content, relation, order)),
  ).join('\nunion all\n');

const perRevision = (versions: string) => `
select revision::float8 as revision, encode(sha256(string_agg(digest, ''::bytea order by kind, id)), 'hex') as digest
  from (${versions}) version group by revision`;

/** All versions of the revisions after $2, up to $3. Reads all rows of the organization. */
const ALL = perRevision(
  everyVersion(
    (content, relation, order) => `
select version.revision, ${order} as kind, version.id, ${digestSql(content)} as digest from ${relation} version
 where version.organization_id = $1 and version.revision > $2 and version.revision <= $3`,
  ),
);

/** The versions that changes name, of the same revisions. Reads only these rows. */
const NAMED = `
with named as materialized (
  select distinct revision, object_type, case when object_id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then object_id::uuid end as id
    from change where organization_id = $1 and revision > $2 and revision <= $3)
${perRevision(
  everyVersion(
    (content, relation, order) => `
select version.revision, ${order} as kind, version.id, ${digestSql(content)} as digest
  from named join ${relation} version on version.organization_id = $1 and version.id = named.id and version.revision = named.revision
 where named.object_type = '${content.objectType}'`,
  ),
)}`;

/** The first changeset of an organization creates its contents without changes. */
const HAS_UNLISTED = `
select true as "hasUnlisted" from changeset where organization_id = $1 and revision > $2 and revision <= $3
   and not exists (select from change where change.organization_id = $1 and change.revision = changeset.revision) limit 1`;

const FORMAT = Buffer.from('strata contents v1\n');
const NO_ROWS = hash('sha256', Buffer.alloc(0), 'buffer');

/** The revisions after `after`, up to `last`. */
interface Revisions {
  readonly organizationId: string;
  readonly after: number;
  readonly last: number;
}

async function readLeaves(query: LedgerQuery, text: string, { organizationId, after, last }: Revisions) {
  const rows = await query<{ revision: number; digest: string }>(text, [organizationId, after, last]);
  const digests = new Map(rows.map(({ revision, digest }) => [revision, Buffer.from(digest, 'hex')]));
  return Array.from({ length: last - after }, (_, at) =>
    leafHash(Buffer.concat([FORMAT, digests.get(after + 1 + at) ?? NO_ROWS])),
  );
}

/** Returns the leaves of the tree of contents: for each revision the hash of the rows that it wrote, of all such rows. */
export function readAllContents(query: LedgerQuery, revisions: Revisions): Promise<readonly Buffer[]> {
  return readLeaves(query, ALL, revisions);
}

/** Returns the same leaves from the rows that changes name. It is faster for few revisions, and does not see other rows. */
export async function readNamedContents(query: LedgerQuery, revisions: Revisions): Promise<readonly Buffer[]> {
  const { organizationId, after, last } = revisions;
  const unlisted = await query(HAS_UNLISTED, [organizationId, after, last]);
  return readLeaves(query, unlisted.length > 0 ? ALL : NAMED, revisions);
}
