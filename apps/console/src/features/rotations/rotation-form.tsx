import { type NamedObject, SILENT_POLICIES } from '@strata/domain';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
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
import { Field, Form, TextField, trimmedField } from '../../ui/form.tsx';
import page from '../../ui/page.module.css';
import { ROTATORS, SILENT } from './rotation-descriptions.ts';
import { credentialIn, inputIn, scheduleIn } from './rotation-input.ts';
import { CredentialField, ROTATOR_FIELDS } from './rotator-fields.tsx';

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
  const RotatorFields = ROTATOR_FIELDS[rotator];
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
      <RotatorFields key={rotator} />
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

const NamedOptions = ({ objects }: { readonly objects: readonly NamedObject[] }) =>
  objects.map(({ id, name }) => (
    <option key={id} value={id}>
      {name}
    </option>
  ));

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
            <NamedOptions objects={projects} />
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
            <NamedOptions objects={parameters ?? []} />
          </select>
        )}
      </Field>
      <Field name="environment" label="Environment" hint="Choose one in which the secret has a value of its own.">
        {(attributes) => (
          <select {...attributes} required>
            <NamedOptions objects={environments} />
          </select>
        )}
      </Field>
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
