import {
  type ExternalError,
  type ExternalSource,
  externalSource,
  isWithin,
  type OrganizationId,
  type ValueId,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { readSealed } from '../../platform/vault/sealed-text.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { ValueInContext } from '../parameters/values/value-writer.ts';

interface Row {
  readonly id: ValueId;
  readonly ledger_id: string;
  readonly sealed: Buffer | null;
  readonly source: ExternalSource;
  readonly parameter_id: string;
  readonly parameter: string;
  readonly project_id: string;
  readonly project: string;
  readonly environment_id: string;
  readonly environment: string;
}

/** The errors of external values whose integration was deleted, or has another location now. */
export const DELETED: ExternalError = {
  code: 'no_integration',
  detail: 'The integration of the location was deleted. Create it again, or set the text as internal_value.',
};

export const MOVED: ExternalError = {
  code: 'no_integration',
  detail: 'The integration of the location has another account or role now. Set external_fqn again.',
};

const EXTERNAL_VALUES = `
select value.id, value.ledger_id, ${readSealed('value')} as sealed, value.source, parameter.id as parameter_id, parameter.name as parameter,
       project.id as project_id, project.name as project, environment.id as environment_id, environment.name as environment
  from value
  join parameter on parameter.organization_id = $1 and parameter.id = value.parameter_id
  join project on project.organization_id = $1 and project.id = parameter.project_id
  join environment on environment.organization_id = $1 and environment.id = value.environment_id
 where value.organization_id = $1 and value.source is not null
 order by project.name, parameter.name, environment.name`;

/** Returns the external values of an integration, with an error that they get. */
export async function readExternalValues(
  { em, vault }: { readonly em: EntityManager; readonly vault: Vault },
  organizationId: OrganizationId,
  fqn: string,
  error: ExternalError,
): Promise<readonly ValueInContext[]> {
  const rows = await em.query<Row[]>(EXTERNAL_VALUES, [organizationId]);
  const ofIntegration = rows.filter((row) => externalSource(row) !== null && isWithin(row.source.fqn, fqn));
  const values: ValueInContext[] = [];
  for (const { id, sealed, source, ...row } of ofIntegration)
    values.push({
      id,
      text: null,
      sealed: sealed && (await vault.sealAgain(organizationId, id, sealed)),
      interpolated: false,
      source: { fqn: source.fqn, filter: source.filter, error },
      context: {
        parameter: { id: row.parameter_id, name: row.parameter },
        project: { id: row.project_id, name: row.project },
        environment: { id: row.environment_id, name: row.environment },
      },
    });
  return values;
}
