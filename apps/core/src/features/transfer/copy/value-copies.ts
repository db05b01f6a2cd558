import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { OrganizationId, ScopeId } from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { WriteContext, Writer } from '../../../platform/ledger/command.ts';
import { listIgnoredScopes } from '../../../platform/ledger/forbidden-values.ts';
import { readSealed, type SealedValue } from '../../../platform/vault/sealed-text.ts';
import { Vault } from '../../../platform/vault/vault.ts';
import { addValues, type ValueContext, type ValueInContext } from '../../parameters/values/value-writer.ts';
import { lateralJoin } from '../../templating/dependency-sql.ts';
import type { CopiedValuesFilter } from './copy-size.ts';

interface SourceRow {
  readonly id: string;
  readonly parameter_id: string;
  readonly parameter: string;
  readonly project_id: string;
  readonly project: string;
  readonly environment_id: string;
  readonly environment: string;
  readonly text: string | null;
  readonly sealed: Buffer | null;
  readonly interpolated: boolean;
}

const SEALED = 'value.sealed';

/** Copies many values with a few statements. */
@Injectable()
export class ValueCopies {
  constructor(private readonly vault: Vault) {}

  /**
   * Copies values to the cells that `targetOf` returns. `texts` contains replaced texts by the id of the source.
   * Returns the copies of dynamic values by the id of the source.
   */
  async copy(
    context: WriteContext,
    caller: Writer,
    filter: CopiedValuesFilter,
    targetOf: (source: ValueContext) => ValueContext,
    texts: ReadonlyMap<string, string> = new Map(),
  ): Promise<ReadonlyMap<string, string>> {
    const { organizationId } = caller;
    const ignored = new Set<ScopeId>(listIgnoredScopes(caller));
    const rows = (await readValues(context.em, organizationId, filter)).filter(
      ({ project_id: project, environment_id: environment }) => !ignored.has(project) && !ignored.has(environment),
    );
    const open = await this.vault.opener(organizationId);
    const copies = new Map<string, string>();
    const copiedValues: ValueInContext[] = [];
    for (const row of rows) {
      const id = randomUUID();
      const sealedText = row.sealed && (await this.seal(organizationId, id, open(SEALED, row.id, row.sealed)));
      if (row.interpolated) copies.set(row.id, id);
      const text = texts.get(row.id) ?? row.text;
      copiedValues.push({
        id,
        context: targetOf(createContext(row)),
        text,
        sealed: sealedText,
        interpolated: row.interpolated,
      });
    }
    await addValues(context, organizationId, copiedValues);
    return copies;
  }

  seal(organizationId: OrganizationId, rowId: string, text: string): Promise<SealedValue> {
    return this.vault.sealValue(organizationId, rowId, text);
  }
}

function readValues(
  em: EntityManager,
  organizationId: OrganizationId,
  { noun, ids }: CopiedValuesFilter,
): Promise<readonly SourceRow[]> {
  return em.query<SourceRow[]>(
    `select value.id, value.parameter_id, parameter.name as parameter, parameter.project_id, project.name as project, value.environment_id,
            environment.name as environment, value.text, ${readSealed('value')} as sealed, value.interpolated
       from ${lateralJoin('unnest($2::uuid[]) source(id)', `select * from value where organization_id = $1 and ${noun}_id = source.id`, 'value')}
      cross join lateral (select name, project_id from parameter where organization_id = $1 and id = value.parameter_id offset 0) parameter
      cross join lateral (select name from project where organization_id = $1 and id = parameter.project_id offset 0) project
      cross join lateral (select name from environment where organization_id = $1 and id = value.environment_id offset 0) environment
      order by project.name, parameter.name, environment.name`,
    [organizationId, ids],
  );
}

function createContext(row: SourceRow): ValueContext {
  return {
    parameter: { id: row.parameter_id, name: row.parameter },
    project: { id: row.project_id, name: row.project },
    environment: { id: row.environment_id, name: row.environment },
  };
}
