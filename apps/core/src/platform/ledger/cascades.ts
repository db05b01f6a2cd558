import { Injectable } from '@nestjs/common';
import type { ObjectType } from '@strata/domain';
import type { Change } from './change.ts';
import type { WriteContext } from './command.ts';

/** The types whose deletion deletes other objects, too. */
export type CascadeSource = 'Environment' | 'Project' | 'Parameter' | 'ParameterType';

/**
 * Objects of one type that disappear together with another. One statement finds all of them, however many there are.
 * `sql` knows the organization as $1 and the id of what is deleted as $2, and gives `id` and `name` of each object, and
 * where it belongs: `project_id` and `project_name`, `environment_id` and `environment_name`, `parameter_id` and
 * `parameter_name`, as far as there is such a place.
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
  async record({ em, record }: WriteContext, of: CascadeSource, organizationId: string, id: string): Promise<void> {
    for (const { objectType, sql } of this.cascades.filter((cascade) => cascade.of === of)) {
      for (const row of await em.query<CascadedRow[]>(sql, [organizationId, id])) record(changeOf(objectType, row));
    }
  }
}

function changeOf(objectType: ObjectType, row: CascadedRow): Change {
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
