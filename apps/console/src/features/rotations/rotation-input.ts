import { SILENT_POLICIES } from '@strata/domain';
import type { NewRotation, RotationChange } from '../../data/rotations.ts';
import { trimmedField } from '../../ui/form.tsx';

/** Returns the number in a field; null if it is empty. */
function numberIn(form: FormData, name: string): number | null {
  const text = trimmedField(form, name);
  return text === '' ? null : Number(text);
}

export function scheduleIn(
  form: FormData,
): Pick<RotationChange, 'intervalDays' | 'graceSeconds' | 'silent' | 'silentAfterSeconds'> {
  const graceSeconds = numberIn(form, 'grace_seconds');
  const silentAfterSeconds = numberIn(form, 'silent_after_seconds');
  return {
    intervalDays: numberIn(form, 'interval_days'),
    ...(graceSeconds !== null && { graceSeconds }),
    silent: SILENT_POLICIES.find((name) => name === form.get('silent')) ?? 'wait',
    ...(silentAfterSeconds !== null && { silentAfterSeconds }),
  };
}

/** A password can start and end with blanks. */
export function credentialIn(form: FormData): Pick<NewRotation, 'credential'> {
  const credential = form.get('credential');
  return typeof credential === 'string' && credential !== '' ? { credential } : {};
}

export function inputIn(form: FormData, rotator: NewRotation['rotator']): NewRotation {
  const text = (name: string) => trimmedField(form, name);
  return {
    name: text('name'),
    parameterId: text('parameter'),
    environmentId: text('environment'),
    rotator,
    ...scheduleIn(form),
    ...credentialIn(form),
    ...(rotator === 'postgresql' && {
      postgresql: {
        host: text('postgresql.host'),
        port: Number(text('postgresql.port')),
        database: text('postgresql.database'),
        user: text('postgresql.user'),
        roles: text('postgresql.roles')
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== ''),
        tls: form.get('postgresql.tls') !== null,
        ca: text('postgresql.ca') || null,
      },
    }),
    ...(rotator === 'aws_iam' && {
      awsIam: {
        account: text('aws_iam.account'),
        roleName: text('aws_iam.role_name'),
        userName: text('aws_iam.user_name'),
        region: text('aws_iam.region'),
      },
    }),
    ...(rotator === 'command' && { command: { program: text('command.program'), input: text('command.input') } }),
  };
}
