import { SILENT_POLICIES } from '@strata/domain';
import { useQuery } from '@tanstack/react-query';
import { type InputHTMLAttributes, type ReactNode, useState } from 'react';
import { environmentsQuery } from '../../data/environments.ts';
import { projectsQuery } from '../../data/projects.ts';
import {
  type ListedRotation,
  type NewRotation,
  type RotationChange,
  rotatableParametersQuery,
} from '../../data/rotations.ts';
import type { SignedInViewer } from '../../data/session.ts';
import { mayWrite } from '../../data/write-access.ts';
import { Check, Field, Form, trimmedField } from '../../ui/form.tsx';
import page from '../../ui/page.module.css';
import { ROTATORS, SILENT } from './rotation-descriptions.ts';

/** The members of a rotation that can be changed. */
export type Schedule = RotationChange;
type RotatorName = NewRotation['rotator'];

interface NewRotationFormProps {
  readonly viewer: SignedInViewer | undefined;
  readonly aside: ReactNode;
  submit(input: NewRotation): Promise<void>;
}

/** Creates a rotation. The names of the fields are the paths of the members in the API, so that errors are shown there. */
export function NewRotationForm({ viewer, aside, submit }: NewRotationFormProps) {
  const [rotator, setRotator] = useState<RotatorName>('postgresql');
  const isManager = viewer?.abilities.abilities.includes('manage_integrations') ?? false;
  return (
    <Form verb="Create rotation" busyVerb="Creating …" aside={aside} submit={(form) => submit(inputIn(form, rotator))}>
      <TextField name="name" label="Name" required maxLength={256} />
      <SecretFields viewer={viewer} />
      <Field
        name="rotator"
        label="System"
        hint={isManager ? ROTATORS[rotator].hint : 'Other systems require the right to manage integrations.'}
      >
        {(attributes) => (
          <select
            {...attributes}
            value={rotator}
            onChange={({ target }) => isRotator(target.value) && setRotator(target.value)}
          >
            {Object.entries(ROTATORS)
              .filter(([name]) => isManager || name === 'postgresql')
              .map(([name, { label }]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
          </select>
        )}
      </Field>
      {rotator === 'postgresql' && <PostgresqlFields />}
      {rotator === 'aws_iam' && <AwsIamFields />}
      {rotator === 'command' && <CommandFields />}
      <ScheduleFields rotation={null} />
    </Form>
  );
}

interface ChangeRotationFormProps {
  readonly rotation: ListedRotation;
  readonly aside: ReactNode;
  submit(input: Schedule): Promise<void>;
}

/** Changes a rotation. Its secret and its system stay. */
export function ChangeRotationForm({ rotation, aside, submit }: ChangeRotationFormProps) {
  return (
    <Form
      verb="Save"
      busyVerb="Saving …"
      aside={aside}
      submit={(form) => submit({ name: trimmedField(form, 'name'), ...scheduleIn(form), ...credentialIn(form) })}
    >
      <TextField
        name="name"
        label="Name"
        hint="The secret and the system of a rotation cannot be changed."
        required
        maxLength={256}
        defaultValue={rotation.name}
      />
      {rotation.rotator === 'postgresql' && <CredentialField hint="Leave this empty to keep the stored one." />}
      <ScheduleFields rotation={rotation} />
    </Form>
  );
}

const isRotator = (text: string): text is RotatorName => Object.hasOwn(ROTATORS, text);

interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
}

function TextField({ name, label, hint, ...input }: TextFieldProps) {
  return (
    <Field name={name} label={label} hint={hint}>
      {(attributes) => <input {...attributes} autoComplete="off" spellCheck={false} {...input} />}
    </Field>
  );
}

/** The value that the rotation replaces. */
function SecretFields({ viewer }: Pick<NewRotationFormProps, 'viewer'>) {
  const { data: allProjects = [] } = useQuery(projectsQuery());
  const { data: environments = [] } = useQuery(environmentsQuery());
  const [chosenId, setChosenId] = useState<string | null>(null);
  const projects = allProjects.filter(({ id }) => mayWrite(viewer, { projectId: id }));
  const projectId = chosenId ?? projects[0]?.id ?? null;
  const { data: parameters } = useQuery({ ...rotatableParametersQuery(projectId ?? ''), enabled: projectId !== null });
  return (
    <>
      <Field name="project" label="Project">
        {(attributes) => (
          <select {...attributes} required value={projectId ?? ''} onChange={({ target }) => setChosenId(target.value)}>
            {projects.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        name="parameter"
        label="Secret"
        hint={
          parameters?.length === 0
            ? 'The project has no secret parameter.'
            : 'Its value is a working credential: a URL, or a JSON object.'
        }
      >
        {(attributes) => (
          <select {...attributes} required>
            {(parameters ?? []).map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field name="environment" label="Environment" hint="The secret has a value of its own there.">
        {(attributes) => (
          <select {...attributes} required>
            {environments.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
      </Field>
    </>
  );
}

function CredentialField({ hint, ...input }: InputHTMLAttributes<HTMLInputElement> & { readonly hint: string }) {
  return (
    <TextField
      name="credential"
      label="Password of the administrator"
      hint={hint}
      type="password"
      {...input}
      autoComplete="new-password"
    />
  );
}

function PostgresqlFields() {
  return (
    <>
      <TextField name="postgresql.host" label="Host" required placeholder="db.example.com" />
      <TextField name="postgresql.port" label="Port" required inputMode="numeric" defaultValue="5432" />
      <TextField name="postgresql.database" label="Database" required defaultValue="postgres" />
      <TextField
        name="postgresql.roles"
        label="Roles"
        hint="The two roles that alternate, separated by a comma."
        required
        placeholder="shop_a, shop_b"
      />
      <TextField
        name="postgresql.user"
        label="Administrator"
        hint="The role that Strata connects with. It can alter the two roles."
        required
        placeholder="strata"
      />
      <CredentialField hint="It is stored encrypted, and never shown." required />
      <Check name="postgresql.tls" defaultChecked>
        Encrypt the connection, and check the certificate
      </Check>
      <Field
        name="postgresql.ca"
        label="Certificate of the authority"
        hint="As PEM. Leave this empty for public authorities."
      >
        {(attributes) => <textarea {...attributes} autoComplete="off" spellCheck={false} rows={3} />}
      </Field>
    </>
  );
}

function AwsIamFields() {
  return (
    <>
      <TextField name="aws_iam.account" label="Account id" required inputMode="numeric" placeholder="123456789012" />
      <TextField name="aws_iam.role_name" label="Role" hint="Strata assumes this role." required placeholder="strata" />
      <TextField
        name="aws_iam.user_name"
        label="User"
        hint="The user whose access keys are replaced."
        required
        placeholder="shop"
      />
      <TextField name="aws_iam.region" label="Region" required defaultValue="us-east-1" />
    </>
  );
}

function CommandFields() {
  return (
    <>
      <TextField
        name="command.program"
        label="Command"
        hint="Its name in the settings of the installation."
        required
        maxLength={64}
      />
      <TextField name="command.input" label="Input" hint="A text for the command. It is not secret." />
    </>
  );
}

/** When the rotation runs, and what it waits for. */
function ScheduleFields({ rotation }: { readonly rotation: ListedRotation | null }) {
  const [silent, setSilent] = useState(rotation?.silent ?? 'wait');
  return (
    <>
      <TextField
        name="interval_days"
        label="Days between rotations"
        hint="Leave this empty to rotate on request only."
        type="number"
        min={1}
        max={365}
        defaultValue={rotation?.intervalDays ?? ''}
      />
      <TextField
        name="grace_seconds"
        label="Grace period in seconds"
        hint={
          rotation
            ? 'How long the previous credential must be unused before it is revoked.'
            : 'How long the previous credential must be unused. Leave this empty for the default of the system.'
        }
        type="number"
        min={0}
        max={604_800}
        required={rotation !== null}
        defaultValue={rotation?.graceSeconds ?? ''}
      />
      <Field name="silent" label="If an instance does not report any more">
        {(attributes) => (
          <select
            {...attributes}
            value={silent}
            onChange={({ target }) => setSilent(SILENT_POLICIES.find((name) => name === target.value) ?? 'wait')}
          >
            {SILENT_POLICIES.map((name) => (
              <option key={name} value={name}>
                {SILENT[name]}
              </option>
            ))}
          </select>
        )}
      </Field>
      {silent === 'revoke_after' && (
        <TextField
          name="silent_after_seconds"
          label="Seconds to wait for it"
          hint="After the publication of the new credential."
          type="number"
          required
          min={900}
          max={2_592_000}
          defaultValue={rotation?.silentAfterSeconds ?? 3_600}
        />
      )}
      {rotation === null && (
        <p className={page.note}>Nothing is rotated before the first interval has passed, or before you rotate it.</p>
      )}
    </>
  );
}

/** Returns the number in a field; null if it is empty. */
function numberIn(form: FormData, name: string): number | null {
  const text = trimmedField(form, name);
  return text === '' ? null : Number(text);
}

function scheduleIn(
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
function credentialIn(form: FormData): Pick<NewRotation, 'credential'> {
  const credential = form.get('credential');
  return typeof credential === 'string' && credential !== '' ? { credential } : {};
}

function inputIn(form: FormData, rotator: RotatorName): NewRotation {
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
