import { ROTATION_LIMITS, type RotationCreate } from '@strata/contract';
import { Failure, type OrganizationId, sentence } from '@strata/domain';
import type { EntityManager } from 'typeorm';

/** Other rotations of the same role, or of the same user. Names of hosts and of IAM users ignore case. */
const SAME_CREDENTIALS = `
select from rotation own join rotation other on other.organization_id = own.organization_id and other.id <> own.id and other.rotator = own.rotator
 where own.organization_id = $1 and own.id = $2 and case own.rotator
   when 'postgresql' then lower(other.settings ->> 'host') = lower(own.settings ->> 'host') and other.settings -> 'port' = own.settings -> 'port'
                          and other.settings -> 'roles' ?| array[own.settings -> 'roles' ->> 0, own.settings -> 'roles' ->> 1]
   when 'aws_iam' then other.settings ->> 'account' = own.settings ->> 'account'
                       and lower(other.settings ->> 'user_name') = lower(own.settings ->> 'user_name') end`;

/** Returns the settings of the chosen system. */
export function chooseSettings(input: RotationCreate): object {
  const { rotator } = input;
  const settings = input[rotator];
  if (!settings)
    throw Failure.field('required', rotator, 'Enter the settings of the rotator in the member with its name.');
  return settings;
}

export function assertCredential({ rotator, credential }: Pick<RotationCreate, 'rotator' | 'credential'>): void {
  if ((rotator === 'postgresql') === (credential !== undefined)) return;
  const message =
    rotator === 'postgresql'
      ? 'Enter the password of the role that Strata connects with.'
      : 'Omit credential. Only rotations of postgresql have one.';
  throw Failure.field('invalid', 'credential', message);
}

export async function assertBelowLimit(em: EntityManager, organizationId: OrganizationId): Promise<void> {
  const { perOrganization: limit } = ROTATION_LIMITS;
  const [row] = await em.query<{ count: number }[]>(
    'select count(*)::int as count from rotation where organization_id = $1',
    [organizationId],
  );
  if ((row?.count ?? 0) < limit) return;
  throw Failure.field(
    'too_many_rotations',
    'non_field_errors',
    sentence`An organization has at most ${{ limit }} rotations. Delete one.`,
  );
}

/** Two rotations with the same role or user would each revoke the only credential of the other. */
export async function assertOnlyRotation(em: EntityManager, organizationId: OrganizationId, id: string): Promise<void> {
  if ((await em.query<object[]>(SAME_CREDENTIALS, [organizationId, id])).length === 0) return;
  const message =
    'Another rotation replaces the credentials of one of these roles, or of this user. Enter others, or delete that rotation.';
  throw Failure.conflict('credential_rotated', message);
}
