import { CONTENT_TABLES } from './stored-contents.ts';

/** A rule of the versions of one table, and a statement that selects the revisions where it is violated. */
export interface VersionRule {
  readonly text: string;
  readonly violations: string;
}

/** The initial content of an organization belongs to its first revision, which lists no changes. */
const LISTED = "surface <> 'system'";

/**
 * Returns the rules that connect the versions of rows with changesets and changes. `scope` is a condition that selects rows by
 * their organization.
 */
export function versionRules(scope: string): readonly VersionRule[] {
  return CONTENT_TABLES.flatMap(({ table, objectType }) => rulesOfTable(table, objectType, scope));
}

function rulesOfTable(table: string, type: string, scope: string): readonly VersionRule[] {
  const versions = `(select organization_id, id, revision, modified_at, null::bigint as revision_to from ${table} where ${scope}
    union all
    select organization_id, id, revision, modified_at, revision_to from ${table}_history where ${scope})`;
  const changeExists = (action: string, revision: string) => `exists (
            select from change where (change.organization_id, change.revision, change.object_type, change.object_id, change.action)
                                     = (version.organization_id, ${revision}, '${type}', version.id::text, '${action}'))`;
  const rules: Readonly<Record<string, string>> = {
    'has the time of another revision, or of none': `
    select version.revision from ${versions} version left join changeset using (organization_id, revision)
     where changeset.at is distinct from version.modified_at`,
    'is named by no change': `
    select version.revision from ${versions} version join changeset using (organization_id, revision)
     where ${LISTED} and not (${changeExists('create', 'version.revision')} or ${changeExists('update', 'version.revision')})`,
    'ended, and no change names it': `
    select version.revision_to as revision from ${versions} version
     where version.revision_to is not null
       and not (${changeExists('update', 'version.revision_to')} or ${changeExists('delete', 'version.revision_to')})`,
    // A deleted object may come back under its id. The ledger then names both.
    'overlaps with another version of the object, or is not followed by one': `
    select version.revision from (
      select organization_id, id, revision, revision_to, lead(revision) over object as next,
             row_number() over (partition by organization_id, id order by revision desc) as from_last
        from ${versions} version window object as (partition by organization_id, id order by revision)) version
     where version.revision_to <= version.revision
        or (version.from_last > 1 and (version.revision_to is null or version.revision_to > version.next
          or (version.revision_to < version.next and not (${changeExists('delete', 'version.revision_to')} and ${changeExists('create', 'version.next')}))))
        or (version.from_last = 1 and version.revision_to is not null and not ${changeExists('delete', 'version.revision_to')})`,
    'is absent, and a change names it': `
    select revision from change
     where ${scope} and change.object_type = '${type}' and change.action in ('create', 'update')
       and not exists (select from ${table} version where version.organization_id = change.organization_id
                          and version.id::text = change.object_id and version.revision = change.revision)
       and not exists (select from ${table}_history version where version.organization_id = change.organization_id
                          and version.id::text = change.object_id and version.revision = change.revision)
       and not exists (select from change deletion where (deletion.organization_id, deletion.revision, deletion.object_id, deletion.action)
                                                = (change.organization_id, change.revision, change.object_id, 'delete'))`,
    'is there, and a later change has deleted it': `
    select change.revision from change join ${table} stored on (stored.organization_id, stored.id::text) = (change.organization_id, change.object_id)
     where ${scope.replaceAll('organization_id', 'change.organization_id')}
       and change.object_type = '${type}' and change.action = 'delete' and stored.revision <= change.revision`,
  };
  return Object.entries(rules).map(([text, violations]) => ({ text: `a row of ${table} ${text}`, violations }));
}
