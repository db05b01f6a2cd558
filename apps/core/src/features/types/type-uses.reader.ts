import { Injectable } from '@nestjs/common';
import type { ParameterOfType, ParameterOfTypeListQuery, TypeUse } from '@strata/contract';
import { forbiddenScopes, type Uuid } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { nameFilters } from '../../platform/http/filters.ts';
import { BY_DESCRIPTION } from '../../platform/http/list-order.ts';
import { requestedPage } from '../../platform/http/page.ts';
import { type PageResult, SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { TypesReader } from './types.reader.ts';

/** Lists the parameters of a type. Leaves out those that the caller may not read. */
@Injectable()
export class TypeUsesReader {
  constructor(
    private readonly snapshotReader: SnapshotReader,
    private readonly types: TypesReader,
  ) {}

  counts(caller: Caller): Promise<{ readonly revision: number; readonly uses: readonly TypeUse[] }> {
    const uses = `
      select parameter.type_id, count(*)::int as parameter_count from parameter
       where parameter.organization_id = $1 and parameter.project_id <> all($3::uuid[])
       group by parameter.type_id order by parameter.type_id`;
    return this.snapshotReader.sets<{ readonly uses: readonly TypeUse[] }>(
      { organizationId: caller.organizationId, at: 'now' },
      { uses },
      [forbiddenScopes(caller)],
    );
  }

  /** Returns one page of parameters. Throws 404 if the type does not exist. */
  async page(caller: Caller, typeId: Uuid, query: ParameterOfTypeListQuery): Promise<PageResult<ParameterOfType>> {
    const { organizationId } = caller;
    await this.types.readOne(organizationId, typeId, 'now');
    return this.snapshotReader.page(
      { organizationId, at: 'now' },
      {
        from: `(select parameter.id, parameter.name, parameter.description, parameter.created_at, parameter.modified_at, parameter.type_id, parameter.project_id, project.name as project_name
                  from parameter join project on project.organization_id = parameter.organization_id and project.id = parameter.project_id
                 where parameter.organization_id = $1)`,
        columns: 'object.id, object.name, object.project_id, object.project_name',
        filters: [
          { sql: 'object.type_id = ?', value: typeId },
          { sql: 'object.project_id <> all(?::uuid[])', value: forbiddenScopes(caller) },
          ...nameFilters(query),
        ],
        ...requestedPage(query, { ...BY_DESCRIPTION, project_name: 'object.project_name collate human' }),
      },
    );
  }
}
