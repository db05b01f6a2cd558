import type { TimelineState, TimelineVersions } from '@strata/contract';
import { maskText, type Revision } from '@strata/domain';
import type { EntryRow } from './timeline-entries.ts';

/** The state of an object before or after a change. */
export interface VersionRow {
  readonly revision: Revision;
  readonly object_id: string;
  readonly side: 'before' | 'after';
  readonly ledger_id: string;
  readonly text: string | null;
  readonly isSealed: boolean;
  readonly interpolated: boolean;
  readonly secret: boolean;
}

const NO_TEXT = { text: 'null::text', isSealed: 'false', interpolated: 'false' };
const VALUE = { text: 'text', isSealed: 'sealed is not null', interpolated: 'interpolated' };

/**
 * Returns SQL that selects the versions which the changes of the page started or ended, from the table and its history.
 */
function sides(objectType: string, table: string, { text, isSealed, interpolated }: typeof NO_TEXT): string {
  const columns = `id, revision, ledger_id, ${text} as text, ${isSealed} as "isSealed", ${interpolated} as interpolated`;
  return `
    select page.revision, page.object_id, page.parameter_id, case when version.revision = page.revision then 'after' else 'before' end as side,
           version.ledger_id, version.text, version."isSealed", version.interpolated
      from page
     cross join lateral (
       select ${columns}, null::bigint as revision_to from ${table} where organization_id = $1 and id = page.object_id::uuid
       union all
       select ${columns}, revision_to from ${table}_history where organization_id = $1 and id = page.object_id::uuid) version
     where page.object_type = '${objectType}' and (version.revision = page.revision or version.revision_to = page.revision)`;
}

/**
 * Returns SQL for the versions of parameters, rules and values that the changes in `page` affected. A parameter is
 * never converted to or from secret.
 */
export function versionsQuery(page: string): string {
  const all = [
    sides('Parameter', 'parameter', NO_TEXT),
    sides('ParameterRule', 'parameter_rule', NO_TEXT),
    sides('Value', 'value', VALUE),
  ];
  return `
    with page as materialized (${page})
    select version.revision, version.object_id, version.side, version.ledger_id, version.text, version."isSealed", version.interpolated,
           coalesce((select secret from parameter where organization_id = $1 and id = version.parameter_id),
                    (select secret from parameter_history where organization_id = $1 and id = version.parameter_id limit 1), true) as secret
      from (${all.join(' union all ')}) version`;
}

export const NO_VERSIONS = 'select 1 as none where false';

/** Returns the versions of each change. Never decrypts secrets. */
export function indexVersions(rows: readonly VersionRow[]): (entry: EntryRow) => TimelineVersions {
  const versionKey = ({ revision, object_id: id }: Pick<EntryRow, 'revision' | 'object_id'>) => `${revision} ${id}`;
  const rowsByVersion = Map.groupBy(rows, versionKey);
  return (entry) => {
    const { revision, object_id: id, environment_id: environmentId, environment_name: environmentName } = entry;
    const side = (sideName: VersionRow['side']) =>
      rowsByVersion.get(versionKey(entry))?.find((row) => row.side === sideName);
    return {
      object_id: id,
      revision,
      environment_id: environmentId,
      environment_name: environmentName,
      before: presentState(side('before')),
      after: presentState(side('after')),
    };
  };
}

function presentState(row: VersionRow | undefined): TimelineState | null {
  if (!row) return null;
  const { ledger_id: ledgerId, text, isSealed, interpolated, secret } = row;
  return { ledger_id: ledgerId, text: isSealed ? maskText('', true) : maskText(text, secret), interpolated, secret };
}
