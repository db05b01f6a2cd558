import type { EnvironmentId, OrganizationId, ParameterId, ProjectId, Revision, Uuid } from '@strata/domain';
import { escapeLike } from '../../platform/http/filters.ts';
import { currentLimits } from '../../platform/limits/request-limits.ts';
import { UNRESERVED_BYTES_MAX } from '../../platform/limits/response-limits.ts';
import type { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { type PointInTime, rowsAt } from '../../platform/postgres/versioned-table.ts';
import type { ValueRecord } from '../snapshot/snapshot.ts';

/**
 * A value without its text. `text` is a digest, which equals the digest of another value of the same name if the texts are
 * equal; it is null for an encrypted or null value.
 */
export interface ValueDigest extends ValueRecord {
  /** Whether the text contains the searched one; null if only the text itself shows it. */
  readonly isFound: boolean | null;
}

/** The outlines of all values of some projects, in a compact form. */
export interface ValueOutlines {
  readonly revision: Revision;
  /** Returns the outlines of the values of a parameter. */
  of(parameterId: ParameterId): readonly ValueDigest[];
}

export interface OutlinesQuery {
  readonly organizationId: OrganizationId;
  readonly at: PointInTime;
  readonly projectIds: readonly ProjectId[];
  readonly environmentIds: readonly EnvironmentId[];
  /** The number of parameters, which limits the number of values. */
  readonly parameterCount: number;
  /** The searched text in lower case; undefined to search nothing. */
  readonly sought: string | undefined;
}

/** The memory of one outline: as received, as JSON and as a string. */
const OUTLINE_BYTES = 96;

/** The characters outside of ASCII whose lower case contains an ASCII letter. */
const LOWERED_TO_ASCII = ['\u0130', '\u212a'];

/**
 * Each value has five words, and values are separated by commas, so that a row needs little memory: the position of the
 * environment; `n` for null, `s` for encrypted, `t` for a text; `d` for dynamic, `l` for literal; whether it is found; a digest. $3
 * are the projects, $4 the environments, $5 the pattern, $6 whether a text that matches the pattern contains the searched text.
 */
const outlineRows = (at: PointInTime): string => `
  select value.parameter_id as id, string_agg(concat_ws(' ', array_position($4::uuid[], value.environment_id),
           case when value.sealed is not null then 's' when value.text is not null then 't' else 'n' end,
           case when value.interpolated then 'd' else 'l' end,
           case when $5::text is null or value.text is null then 'f'
                when ${LOWERED_TO_ASCII.map((character) => `strpos(value.text, '${character}') > 0`).join(' or ')} then '?'
                when lower(value.text collate "C") like $5 then case when $6::boolean then 'y' else '?' end
                else 'f' end,
           case when value.sealed is not null then value.ledger_id::text else hashtextextended(value.text, 0)::text end), ',') as outlines
    from ${rowsAt('value', at)} value
   where value.parameter_id = any(array(select parameter.id from ${rowsAt('parameter', at)} parameter where parameter.project_id = any($3::uuid[])))
   group by value.parameter_id`;

/** Reads the outlines of all values with one statement. Never reads a text. */
export async function readOutlines(reader: SnapshotReader, query: OutlinesQuery): Promise<ValueOutlines> {
  const { organizationId, at, projectIds, environmentIds, parameterCount, sought } = query;
  const memory = parameterCount * environmentIds.length * OUTLINE_BYTES;
  if (memory > UNRESERVED_BYTES_MAX) await currentLimits()?.reserveMemory(memory);
  const isAscii = sought !== undefined && /^\p{ASCII}*$/u.test(sought);
  // Only ASCII is in lower case in the database, so other characters match anything.
  const pattern = sought === undefined ? null : `%${escapeLike(sought).replace(/[^\p{ASCII}]+/gu, '%')}%`;
  const { revision, rows } = await reader.sets<{ rows: { readonly id: ParameterId; readonly outlines: string }[] }>(
    { organizationId, at },
    { rows: outlineRows(at) },
    [projectIds, environmentIds, pattern, isAscii],
  );
  const byParameter = new Map(rows.map(({ id, outlines }) => [id, outlines]));
  return {
    revision,
    of: (parameterId) =>
      byParameter
        .get(parameterId)
        ?.split(',')
        .map((outline) => parseOutline(outline, parameterId, environmentIds)) ?? [],
  };
}

const UNKNOWN_TIME = '1970-01-01T00:00:00.000000Z';

function parseOutline(
  outline: string,
  parameterId: ParameterId,
  environmentIds: readonly EnvironmentId[],
): ValueDigest {
  const [position = '', kind, dynamic, matched, digest = ''] = outline.split(' ');
  const environmentId = environmentIds[Number(position) - 1] as EnvironmentId;
  return {
    id: `${parameterId} ${position}` as Uuid,
    parameterId,
    environmentId,
    text: kind === 't' ? digest : null,
    sealed: kind === 's' ? digest : null,
    interpolated: dynamic === 'd',
    ledger_id: digest,
    created_at: UNKNOWN_TIME,
    modified_at: UNKNOWN_TIME,
    isFound: matched === '?' ? null : matched === 'y',
  } as ValueDigest;
}
