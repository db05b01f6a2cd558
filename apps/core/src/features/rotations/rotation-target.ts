import {
  assertAbilityOnScope,
  assertIfControlled,
  can,
  type EnvironmentId,
  Failure,
  mayReveal,
  type NamedObject,
  type ProjectId,
  sentence,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Caller } from '../../platform/caller.ts';
import { unknownLinkError } from '../../platform/http/links.ts';

/** The value of a rotation, with the names that the audit shows. */
export interface RotationTarget {
  readonly parameter: NamedObject;
  readonly project: NamedObject & { readonly id: ProjectId };
  readonly environment: NamedObject & { readonly id: EnvironmentId };
}

interface TargetRow extends RotationTarget {
  readonly secret: boolean;
  readonly has_value: boolean;
}

const named = (table: string) => `json_build_object('id', ${table}.id, 'name', ${table}.name)`;

const TARGET = `
select ${named('parameter')} as parameter, ${named('project')} as project, ${named('environment')} as environment, parameter.secret,
       exists (select from value where value.organization_id = $1 and value.parameter_id = parameter.id and value.environment_id = environment.id
                  and not value.interpolated and value.sealed is not null) as has_value
  from parameter
  join project on project.organization_id = $1 and project.id = parameter.project_id
  left join environment on environment.organization_id = $1 and environment.id = $3
 where parameter.organization_id = $1 and parameter.id = $2`;

/** Throws 403 unless the caller may write the value and reveal it. */
export function assertMayRotate(caller: Caller, { project, environment }: RotationTarget): void {
  assertAbilityOnScope(caller, 'write', project.id);
  assertIfControlled(caller, 'write', environment.id);
  if (mayReveal(caller)) return;
  const message =
    'You may not reveal secrets, so you may not rotate them. Ask an ADMIN for the ability to reveal secrets.';
  throw new Failure({ kind: 'forbidden', code: 'reveal_forbidden', message });
}

/** Throws 403 unless the caller may use what the operator or an integration provides. */
export function assertMayManageIntegrations(caller: Caller): void {
  if (!can(caller, 'manage_integrations')) throw Failure.forbidden();
}

export async function findTarget(
  em: EntityManager,
  organizationId: string,
  parameterId: string,
  environmentId: string,
): Promise<TargetRow> {
  const [target] = await em.query<TargetRow[]>(TARGET, [organizationId, parameterId, environmentId]);
  if (!target) throw unknownLinkError('parameter', 'parameters');
  if (target.environment.id === null) throw unknownLinkError('environment', 'environments');
  return target;
}

export function assertRotatable({ parameter: { name }, environment, secret, has_value: hasValue }: TargetRow): void {
  if (!secret)
    throw Failure.field(
      'rotation_needs_secret',
      'parameter',
      sentence`${{ name }} is not secret. Make the parameter secret first.`,
    );
  if (!hasValue) {
    const message = sentence`${{ name }} has no own text in ${{ environment: environment.name }}. Set the text of a working credential first.`;
    throw Failure.field('rotation_needs_value', 'environment', message);
  }
}
