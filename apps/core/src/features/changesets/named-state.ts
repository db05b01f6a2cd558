import {
  assertAbilityOnScope,
  assertIfControlled,
  canOnScope,
  Failure,
  type NamedObject,
  type ProjectId,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import { lastSegment } from '../../platform/http/links.ts';
import type { Writer } from '../../platform/ledger/command.ts';
import { readSealed } from '../../platform/vault/sealed-text.ts';

/** A project and an environment whose values are written by name. */
export interface NamedLocation {
  readonly project: NamedObject & { readonly pattern: string };
  readonly environment: NamedObject;
}

/** The parameter that is visible under a name in a project, with its value in one environment. */
export interface NamedParameter extends NamedObject {
  readonly isOwn: boolean;
  readonly secret: boolean;
  readonly typeId: string;
  /** The name of its type. */
  readonly type: string;
  readonly value: StoredValue | null;
}

export interface StoredValue {
  readonly id: string;
  readonly ledgerId: string;
  readonly text: string | null;
  readonly sealed: string | null;
  readonly interpolated: boolean;
}

interface Row extends NamedObject {
  readonly project_id: string;
  readonly secret: boolean;
  readonly type_id: string;
  readonly type: string;
  readonly value: string | null;
  readonly ledger_id: string;
  readonly text: string | null;
  readonly sealed: string | null;
  readonly interpolated: boolean;
}

/**
 * Finds a project and an environment by name, id or link. Throws 404 if one of them does not exist, and 403 if one is
 * forbidden. `environmentPointer` leads to the input that names the environment.
 */
export async function namedLocation(
  em: EntityManager,
  caller: Writer,
  project: string,
  environment: string,
  environmentPointer = '/environment',
): Promise<NamedLocation> {
  const row = await byNameOrId<NamedLocation['project']>(em, caller, 'project', project);
  if (!row) throw Failure.notFound('Project');
  assertAbilityOnScope(caller, 'write', row.id, '/project');
  return { project: row, environment: await namedEnvironment(em, caller, environment, 'write', environmentPointer) };
}

export async function namedEnvironment(
  em: EntityManager,
  caller: Writer,
  name: string,
  ability: 'read' | 'write',
  pointer: string,
): Promise<NamedObject> {
  const row = await byNameOrId<NamedObject>(em, caller, 'environment', name);
  if (!row) throw Failure.notFound('Environment').at(pointer);
  assertIfControlled(caller, ability, row.id, pointer);
  return row;
}

const COLUMNS = { project: 'id, name, parameter_name_pattern as pattern', environment: 'id, name' } as const;

async function byNameOrId<Found>(
  em: EntityManager,
  { organizationId, planRecorder }: Writer,
  table: keyof typeof COLUMNS,
  nameOrId: string,
): Promise<Found | undefined> {
  const id = nameOrId.includes('/') ? lastSegment(nameOrId) : nameOrId;
  const [row] = await em.query<(Found & { readonly id: string })[]>(
    `select ${COLUMNS[table]} from ${table} where organization_id = $1 and (name = $2 or id::text = lower($3))
      order by (id::text = lower($3)) desc limit 1`,
    [organizationId, nameOrId, id],
  );
  if (row) planRecorder.objects.add(row.id);
  return row;
}

/**
 * Selects the nearest owner of each name, and the value if the project itself is the owner. The statement finds values
 * by their parameter, because PostgreSQL could otherwise read all values of the environment for each name.
 */
const STATE = `
with recursive chain as (
  select project.id, project.depends_on_id, 0 as distance from project where project.organization_id = $1 and project.id = $2
  union all
  select project.id, project.depends_on_id, chain.distance + 1 from chain
    join project on project.organization_id = $1 and project.id = chain.depends_on_id)
select distinct on (parameter.name) parameter.id, parameter.name, parameter.project_id, parameter.secret, parameter.type_id, type.name as type,
       value.id as value, value.ledger_id, value.text, ${readSealed('value')}::text as sealed, value.interpolated
  from chain
  join parameter on parameter.organization_id = $1 and parameter.project_id = chain.id and ($4::text[] is null or parameter.name = any($4))
  join parameter_type type on type.organization_id = $1 and type.id = parameter.type_id
  left join lateral (
    select * from value where organization_id = $1 and parameter_id = parameter.id offset 0) value
    on parameter.project_id = $2 and value.environment_id = $3
 order by parameter.name, chain.distance`;

/**
 * Returns the parameters with these names, or all parameters of the project if there are no names. Leaves out
 * parameters of projects that the caller may not read. Runs one statement.
 */
export async function namedParameters(
  em: EntityManager,
  caller: Writer,
  {
    project,
    environment,
  }: { readonly project: NamedObject & { readonly id: ProjectId }; readonly environment: NamedObject },
  names: readonly string[] | null,
): Promise<ReadonlyMap<string, NamedParameter>> {
  const rows = await em.query<Row[]>(STATE, [caller.organizationId, project.id, environment.id, names]);
  const visibleRows = rows.filter((row) => canOnScope(caller, 'read', row.project_id));
  const parameters = new Map(
    visibleRows.map((row) => [
      row.name,
      {
        id: row.id,
        name: row.name,
        isOwn: row.project_id === project.id,
        secret: row.secret,
        typeId: row.type_id,
        type: row.type,
        value: row.value === null ? null : { ...row, id: row.value, ledgerId: row.ledger_id },
      },
    ]),
  );
  // Without names, only parameters with a value matter.
  const requestedNames = names ?? [...parameters.values()].flatMap(({ name, value }) => (value ? [name] : []));
  recordRead(caller, project.name, environment.name, requestedNames, parameters);
  return parameters;
}

/**
 * Records for the plan which parameters and values were read, which names the project does not own, and which cells have
 * no value.
 */
function recordRead(
  { planRecorder }: Writer,
  project: string,
  environment: string,
  names: readonly string[],
  parameters: ReadonlyMap<string, NamedParameter>,
): void {
  for (const name of names) {
    const parameter = parameters.get(name);
    if (parameter) planRecorder.objects.add(parameter.id);
    if (!parameter?.isOwn) planRecorder.absent.add(`${project}/${name}`);
    if (parameter?.value) planRecorder.objects.add(parameter.value.id);
    else planRecorder.absent.add(`${project}/${environment}/${name}`);
  }
}
