import { Failure, sentence } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Writer } from '../../../platform/ledger/command.ts';
import { listIgnoredScopes } from '../../../platform/ledger/forbidden-values.ts';

/**
 * The maximum number of objects. One copy is one transaction and one revision with a change per object, and other
 * writers of the organization wait for it.
 */
const OBJECTS_MAX = 10_000;
/** The maximum total length of the texts, which are decrypted and encrypted again in memory. */
const BYTES_MAX = 32 * 1_048_576;

/** The values to copy: those of some parameters, or those in some environments. */
export interface CopiedValuesFilter {
  readonly noun: 'parameter' | 'environment';
  readonly ids: readonly string[];
}

/** Rejects a copy that is too large, before it reads any rows. `objects` is the number of objects other than values. */
export async function assertCopySize(
  em: EntityManager,
  caller: Writer,
  { noun, ids }: CopiedValuesFilter,
  objects: number,
): Promise<void> {
  const [values] = await em.query<{ count: number; bytes: number }[]>(
    `select count(*)::int as count, coalesce(sum(octet_length(text)), 0)::bigint + coalesce(sum(octet_length(sealed)), 0)::bigint as bytes
       from value where organization_id = $1 and ${noun}_id = any($2::uuid[])
        and environment_id <> all($3::uuid[]) and not exists (
          select from parameter
           where parameter.organization_id = $1 and parameter.id = value.parameter_id and parameter.project_id = any($3::uuid[]))`,
    [caller.organizationId, ids, listIgnoredScopes(caller)],
  );
  const count = objects + (values?.count ?? 0);
  if (count <= OBJECTS_MAX && (values?.bytes ?? 0) <= BYTES_MAX) return;
  throw Failure.field(
    'too_much_to_copy',
    'non_field_errors',
    sentence`A copy has at most ${{ limit: OBJECTS_MAX }} objects and ${{ size_limit: BYTES_MAX / 1_048_576 }} MiB of texts; this one would have ${{ count }}. Copy it in parts.`,
  );
}
