import { Injectable } from '@nestjs/common';
import type { ObjectType } from '@strata/domain';
import type { Change } from './change.ts';
import type { WriteContext } from './command.ts';

/** The types whose deletion deletes other objects, too. */
export type CascadeSource = 'Environment' | 'Project' | 'Parameter' | 'ParameterType';

/**
 * The objects of one type that are deleted together with another object. One statement selects all of them. In `sql`,
 * $1 is the organization and $2 is the id of the deleted object. Each row has the `id` and `name` of an object and, as
 * far as they apply, its scopes: `project_id` and `project_name`, `environment_id` and `environment_name`,
 * `parameter_id` and `parameter_name`.
 */
export interface Cascade {
  readonly of: CascadeSource;
  readonly objectType: ObjectType;
  readonly sql: string;
}

interface CascadedRow {
  readonly id: string;
  readonly name: string;
  readonly project_id?: string | null;
  readonly project_name?: string | null;
  readonly environment_id?: string | null;
  readonly environment_name?: string | null;
  readonly parameter_id?: string | null;
  readonly parameter_name?: string | null;
}

/**
 * The objects that are deleted with another object. Each feature registers its own objects at start, so the code that
 * deletes an environment need not know which features use it. The audit has a record for every object (behaviour.md
 * §9).
 */
@Injectable()
export class Cascades {
  private readonly cascades: Cascade[] = [];

  add(...cascades: readonly Cascade[]): void {
    this.cascades.push(...cascades);
  }

  /**
   * Call this before the deletion, while the rows still exist. It raises no events; each feature does so for its own
   * objects.
   */
  async record({ em, record }: WriteContext, source: CascadeSource, organizationId: string, id: string): Promise<void> {
    for (const { objectType, sql } of this.cascades.filter((cascade) => cascade.of === source)) {
      for (const row of await em.query<CascadedRow[]>(sql, [organizationId, id])) record(toChange(objectType, row));
    }
  }
}

function toChange(objectType: ObjectType, row: CascadedRow): Change {
  const reference = (id: string | null | undefined, name: string | null | undefined) =>
    id ? { id, name: name ?? '' } : undefined;
  const project = reference(row.project_id, row.project_name);
  const environment = reference(row.environment_id, row.environment_name);
  const parameter = reference(row.parameter_id, row.parameter_name);
  return {
    eventType: null,
    action: 'delete',
    objectType,
    object: { id: row.id, name: row.name },
    ...(project && { project }),
    ...(environment && { environment }),
    ...(parameter && { parameter }),
  };
}
