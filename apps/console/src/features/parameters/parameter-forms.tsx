import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type ParameterToSet, parameterKeys, typeNamesQuery } from '../../data/parameters.ts';
import { projectsQuery } from '../../data/projects.ts';
import { changeOperation } from '../../kit/planned/change-operation.ts';
import { DeleteForm, SaveForm } from '../../kit/planned/described-forms.tsx';
import type { ChangesetOperations } from '../../kit/planned/planned-change.tsx';
import { PlannedForm } from '../../kit/planned/planned-form.tsx';
import { Check, Field, trimmedField } from '../../ui/form.tsx';
import {
  NameAndDescriptionFields,
  readNameAndDescription,
  TreeOptions,
} from '../../ui/name-and-description-fields.tsx';
import page from '../../ui/page.module.css';
import { CancelLink } from '../../ui/page-actions.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { type ParameterMembers, withLength } from './parameter-operations.ts';

interface OfProject {
  readonly project: { readonly id: string; readonly name: string };
}

function useOpenCreated() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (revision: number, project: string, parameter: string) => {
    await client.invalidateQueries({ queryKey: parameterKeys.all });
    const params = { name: project, parameter };
    await navigate({ to: '/projects/$name/parameters/$parameter', params, search: {}, state: { applied: revision } });
  };
}

/** Creates a parameter without a value. */
export function CreateParameter({ project }: OfProject) {
  const open = useOpenCreated();
  return (
    <PlannedForm
      verb="Add parameter"
      busyVerb="Adding …"
      aside={<CancelLink />}
      message={(form) => `Parameter ${trimmedField(form, 'name')} of ${project.name}`}
      operationsOf={(form) => {
        const { expires, expiration_action: action, ...members } = membersIn(form, null);
        return [
          {
            operation: 'projects_parameters_create',
            path: { project_pk: project.id },
            body: {
              ...members,
              secret: form.has('secret'),
              ...(expires !== null && { expires, expiration_action: action }),
            },
          },
        ];
      }}
      onApplied={(revision, form) => open(revision, project.name, trimmedField(form, 'name'))}
    >
      <NameAndDescriptionFields name="" description="" nameHint="The name that programs read, such as LOG_LEVEL." />
      <TypeField chosen="string" />
      <Check name="secret">Secret: encrypted, hidden until revealed. Can’t be changed later.</Check>
      <ExpirationFields expires={null} action={null} />
    </PlannedForm>
  );
}

interface ParameterFormProps extends OfProject {
  readonly parameter: ParameterToSet;
  applied(revision: number): Promise<void>;
}

export function ChangeParameter({ project, parameter, applied }: ParameterFormProps) {
  // The state keeps the version that the user started to edit.
  const [version] = useState(parameter);
  const { id, ledgerId, name, secret } = version;
  const currentMembers = parameterMembers(version);
  const referring = parameter.referencingValueIds.length + parameter.referencingTemplateIds.length;
  return (
    <SaveForm
      message={(form) => {
        const newName = trimmedField(form, 'name');
        return newName === name ? `Settings of ${name}` : `Rename ${name} to ${newName}`;
      }}
      operationsOf={(form) =>
        changeOperation<ParameterMembers>(
          'projects_parameters_partial_update',
          { project_pk: project.id, id },
          { ...currentMembers, ledgerId },
          membersIn(form, currentMembers),
        )
      }
      onApplied={applied}
    >
      <NameAndDescriptionFields
        name={name}
        description={currentMembers.description}
        nameHint={
          referring === 0
            ? 'Programs read it by name.'
            : 'Values or templates refer to it by name. Update them before you rename it.'
        }
      />
      <TypeField chosen={currentMembers.type} />
      <ExpirationFields expires={currentMembers.expires} action={currentMembers.expiration_action} />
      <p className={page.note}>
        {secret ? 'It is secret' : 'It is not secret'}. This can’t be changed. Create another parameter instead.
      </p>
    </SaveForm>
  );
}

export function CopyParameter({ project, parameter }: ParameterFormProps) {
  const open = useOpenCreated();
  const { data: projects = [] } = useQuery(projectsQuery());
  const projectName = (id: string) => projects.find((candidate) => candidate.id === id)?.name ?? project.name;
  return (
    <PlannedForm
      verb="Copy"
      busyVerb="Copying …"
      aside={<CancelLink />}
      message={(form) => `${trimmedField(form, 'name')} is a copy of ${parameter.name} of ${project.name}`}
      operationsOf={(form) => [
        {
          operation: 'projects_parameters_copy_create',
          path: { project_pk: project.id, id: parameter.id },
          body: { ...readNameAndDescription(form), project: trimmedField(form, 'project') },
        },
      ]}
      onApplied={(revision, form) =>
        open(revision, projectName(trimmedField(form, 'project')), trimmedField(form, 'name'))
      }
    >
      <p className={page.note}>Its rules and all its values are copied. Secrets are copied without being shown.</p>
      <NameAndDescriptionFields name={parameter.name} description={parameter.description} />
      <Field name="project" label="Into">
        {(attributes) => (
          <select {...attributes} defaultValue={project.id}>
            <TreeOptions rows={projects} />
          </select>
        )}
      </Field>
    </PlannedForm>
  );
}

export function DeleteParameter({ project, parameter: { id, name, overrides } }: ParameterFormProps) {
  const navigate = useNavigate();
  const operations = useMemo<ChangesetOperations>(
    () => [{ operation: 'projects_parameters_destroy', path: { project_pk: project.id, id } }],
    [project.id, id],
  );
  return (
    <>
      <p className={page.note}>
        Its values in all environments and its rules are deleted with it.
        {overrides && (
          <>
            {' '}
            The values of <UserText>{overrides.projectName}</UserText> apply again.
          </>
        )}
      </p>
      <DeleteForm
        deletes={{ kind: 'parameter', name }}
        called={`${name} of ${project.name}`}
        operations={operations}
        onDeleted={(revision) =>
          navigate({ to: '/projects/$name', params: { name: project.name }, state: { applied: revision } })
        }
      />
    </>
  );
}

const parameterMembers = ({
  name,
  description,
  type,
  expires,
  expirationAction,
}: ParameterToSet): ParameterMembers => ({
  name,
  description,
  type,
  expires,
  expiration_action: (expirationAction ?? null) as ParameterMembers['expiration_action'],
});

function membersIn(form: FormData, currentMembers: ParameterMembers | null): ParameterMembers {
  const expires = trimmedField(form, 'expires') || null;
  const isReplaced = expires !== null && form.get('expired') === 'replaced';
  return {
    ...readNameAndDescription(form),
    type: trimmedField(form, 'type'),
    expires,
    expiration_action: isReplaced
      ? withLength(currentMembers?.expiration_action ?? null, Number(form.get('length')))
      : null,
  };
}

function TypeField({ chosen }: { readonly chosen: string }) {
  const { data: names = [chosen] } = useQuery(typeNamesQuery);
  const [type, setType] = useState(chosen);
  return (
    <Field name="type" label="Type" hint="Defines which values are valid.">
      {(attributes) => (
        <select {...attributes} value={type} onChange={({ target }) => setType(target.value)}>
          {names.map((name) => (
            <option key={name} value={name}>
              {withVisibleCharacters(name)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

const LENGTH_DEFAULT = 32;

function ExpirationFields({
  expires,
  action,
}: {
  readonly expires: string | null;
  readonly action: ParameterMembers['expiration_action'];
}) {
  const [expiresText, setExpiresText] = useState(expires ?? '');
  const [expirationChoice, setExpirationChoice] = useState(action === null ? 'marked' : 'replaced');
  return (
    <>
      <Field
        name="expires"
        label="Expires after"
        hint="Counted from the last change of a value. P30D is 30 days, PT12H is 12 hours. Leave it empty for no expiry."
      >
        {(attributes) => (
          <input
            {...attributes}
            value={expiresText}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setExpiresText(target.value)}
          />
        )}
      </Field>
      {expiresText.trim() !== '' && (
        <Field name="expired" label="Then">
          {(attributes) => (
            <select
              {...attributes}
              value={expirationChoice}
              onChange={({ target }) => setExpirationChoice(target.value)}
            >
              <option value="marked">mark the value as expired</option>
              <option value="replaced">replace it with a generated password</option>
            </select>
          )}
        </Field>
      )}
      {expiresText.trim() !== '' && expirationChoice === 'replaced' && (
        <Field name="length" label="Password length">
          {(attributes) => (
            <input
              {...attributes}
              type="number"
              min={1}
              required
              defaultValue={Number(action?.length ?? LENGTH_DEFAULT)}
            />
          )}
        </Field>
      )}
    </>
  );
}
