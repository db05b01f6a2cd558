import { Injectable } from '@nestjs/common';
import type { ParameterOfType, ParameterOfTypeListQuery, TypeUse } from '@strata/contract';
import { forbiddenScopes, type Uuid } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { nameFilters } from '../../platform/http/filters.ts';
import { BY_DESCRIPTION, buildOrder, conditionAfter } from '../../platform/http/list-order.ts';
import { offsetWindow } from '../../platform/http/page.ts';
import { type PageResult, SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import { TypesReader } from './types.reader.ts';

/** Lists the parameters of a type. Leaves out those that the caller may not read. */
@Injectable()
export class TypeUsesReader {
  constructor(
    private readonly committed: SnapshotReader,
    private readonly types: TypesReader,
  ) {}

  counts(caller: Caller): Promise<{ readonly revision: number; readonly uses: readonly TypeUse[] }> {
    const uses = `
      select x.type_id, count(*)::int as parameter_count from parameter x
       where x.organization_id = $1 and x.project_id <> all($3::uuid[])
       group by x.type_id order by x.type_id`;
    return this.committed.sets<{ readonly uses: readonly TypeUse[] }>(
      { organizationId: caller.organizationId, at: 'now' },
      { uses },
      [forbiddenScopes(caller)],
    );
  }

  /** Returns one page of parameters. Throws 404 if the type does not exist. */
  async page(caller: Caller, typeId: Uuid, query: ParameterOfTypeListQuery): Promise<PageResult<ParameterOfType>> {
    const { organizationId } = caller;
    await this.types.readOne(organizationId, typeId, 'now');
    return this.committed.page(
      { organizationId, at: 'now' },
      {
        from: `(select x.id, x.name, x.description, x.created_at, x.modified_at, x.type_id, x.project_id, j.name as project_name
                  from parameter x join project j on j.organization_id = x.organization_id and j.id = x.project_id
                 where x.organization_id = $1)`,
        columns: 'o.id, o.name, o.project_id, o.project_name',
        filters: [
          { sql: 'o.type_id = ?', value: typeId },
          { sql: 'o.project_id <> all(?::uuid[])', value: forbiddenScopes(caller) },
          ...nameFilters(query),
        ],
        order: buildOrder(query.ordering, { ...BY_DESCRIPTION, project_name: 'o.project_name collate human' }),
        page: offsetWindow(query),
        after: conditionAfter(query.after),
      },
    );
  }
}
