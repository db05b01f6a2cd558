import type { Named, ValueId, ValueRow } from '@strata/domain';
import { orElseFail } from '../../platform/database/ledger-statements.ts';
import type { Change } from '../../platform/database/work.ts';
import type { ValueRecord } from '../resolution/project-snapshot.ts';
import type { ValueCell } from './value-cell.ts';
import type { StoredContent } from './value-contents.ts';

/** Gives back what the database stamped. */
const UPDATE = `
update value set text = $3, sealed = $4, interpolated = $5 where organization_id = $1 and id = $2
returning text, sealed::text, interpolated, ledger_id, created_at, modified_at`;

export const update = (
  { organizationId, value: { id } }: ValueCell,
  { text, sealed, interpolated }: StoredContent,
) => ({
  text: UPDATE,
  values: [organizationId, id, text, sealed, interpolated],
});

/** The same, and fails where there is nothing to update. */
export const updateOne = (cell: ValueCell, content: StoredContent) => {
  const { text, values } = update(cell, content);
  return {
    text: `with changed as (${text}) select changed.* ${orElseFail('changed.ledger_id', 'changed')}`,
    values,
  };
};

export type StoredValue = Omit<ValueRecord, keyof ValueRow>;

export interface Place {
  readonly parameter: Named;
  readonly project: Named;
  readonly environment: Named;
}

export function changeOf(
  action: 'create' | 'update' | 'delete',
  id: ValueId,
  { parameter, project, environment }: Place,
): Change {
  return {
    eventType: `value_${action}d`,
    action,
    objectType: 'Value',
    object: { id, name: parameter.name },
    project: { id: project.id, name: project.name },
    environment: { id: environment.id, name: environment.name },
    parameter: { id: parameter.id, name: parameter.name },
  };
}
