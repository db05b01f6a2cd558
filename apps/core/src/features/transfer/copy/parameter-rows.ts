import { randomUUID } from 'node:crypto';
import type { NamedObject, OrganizationId } from '@strata/domain';
import type { WriteContext } from '../../../platform/ledger/command.ts';
import { objectChange } from '../../../platform/ledger/object-change.ts';
import { copyRows } from './copy-rows.ts';

/** A parameter to copy, and the columns of the copy. */
export interface ParameterToCopy {
  readonly sourceId: string;
  readonly name: string;
  /** If undefined, the copy has the description of the source. */
  readonly description?: string | undefined;
  readonly project: NamedObject;
}

/** A copied parameter and its project. */
export interface CopiedParameter {
  readonly parameter: NamedObject;
  readonly project: NamedObject;
}

/**
 * Copies parameters and their rules with two statements, however many there are. Returns the copies by the id of the
 * source.
 */
export async function copyParameters(
  { em, record }: WriteContext,
  organizationId: OrganizationId,
  parametersToCopy: readonly ParameterToCopy[],
): Promise<ReadonlyMap<string, CopiedParameter>> {
  const copies = new Map(
    parametersToCopy.map(({ sourceId, name, project }) => [
      sourceId,
      { parameter: { id: randomUUID() as string, name }, project },
    ]),
  );
  await copyRows(em, organizationId, 'parameter', {
    sources: [...copies.keys()],
    ids: [...copies.values()].map(({ parameter }) => parameter.id),
    set: {
      project_id: parametersToCopy.map(({ project }) => project.id),
      name: parametersToCopy.map(({ name }) => name),
    },
    replaced: { description: parametersToCopy.map(({ description }) => description ?? null) },
  });
  const rules = await em.query<{ id: string; kind: string; source: string }[]>(
    `with copy as (select * from unnest($2::uuid[], $3::uuid[]) as input(source, id))
     insert into parameter_rule (organization_id, id, parameter_id, kind, constraint_text)
     select $1, gen_random_uuid(), copy.id, rule.kind, rule.constraint_text
       from copy join parameter_rule rule on rule.organization_id = $1 and rule.parameter_id = copy.source
     returning id, kind, (select copy.source from copy where copy.id = parameter_id) as source`,
    [organizationId, [...copies.keys()], [...copies.values()].map(({ parameter }) => parameter.id)],
  );
  for (const { parameter, project } of copies.values()) {
    const target = { project, parameter };
    record(objectChange('create', 'Parameter', parameter, target));
  }
  for (const { id, kind, source } of rules) {
    // The event of the created parameter also covers its rules.
    record({ ...objectChange('create', 'ParameterRule', { id, name: kind }, copies.get(source)), eventType: null });
  }
  return copies;
}

/** Returns the ids of the copies by the id of the source. */
export function listCopiedIds(copies: ReadonlyMap<string, CopiedParameter>): ReadonlyMap<string, string> {
  return new Map([...copies].map(([source, { parameter }]) => [source, parameter.id]));
}
