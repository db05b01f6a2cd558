import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type DetailedEnvironment, environmentKeys } from '../../data/environments.ts';
import { CopyForm, DeleteForm, NameAndDescriptionForm } from '../../kit/planned/described-forms.tsx';
import { PlannedForm } from '../../kit/planned/planned-form.tsx';
import { listDescendants } from '../../lib/environment-tree.ts';
import { Check, Field, trimmedField } from '../../ui/form.tsx';
import { NamesInSentence } from '../../ui/linked-names.tsx';
import {
  NameAndDescriptionFields,
  readNameAndDescription,
  TreeOptions,
} from '../../ui/name-and-description-fields.tsx';
import page from '../../ui/page.module.css';
import { CancelLink } from '../../ui/page-actions.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { EnvironmentLink } from './environment-link.tsx';
import { environmentCopyOperations, environmentDeletionOperations } from './environment-operations.ts';

export interface EnvironmentFormProps {
  readonly environment: DetailedEnvironment;
  readonly environments: readonly DetailedEnvironment[];
  applied(revision: number): Promise<void>;
}

/** Opens the page of a new environment. */
function useOpenCreated() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (revision: number, name: string) => {
    await client.invalidateQueries({ queryKey: environmentKeys.allDetails });
    await navigate({
      to: '/environments/$environment',
      params: { environment: name },
      search: {},
      state: { applied: revision },
    });
  };
}

/** Describes where the values of an empty environment come from. */
const inheritedFrom = (environments: readonly DetailedEnvironment[], parentId: string | null) => (
  <>
    inherited from <UserText>{environments.find(({ id }) => id === parentId)?.name}</UserText>
  </>
);

export function CreateEnvironment({ environment, environments }: EnvironmentFormProps) {
  const open = useOpenCreated();
  return (
    <PlannedForm
      verb="Create environment"
      busyVerb="Creating …"
      aside={<CancelLink />}
      message={(form) => `Environment ${readNameAndDescription(form).name}`}
      valuesFrom={(form) => inheritedFrom(environments, trimmedField(form, 'parent'))}
      operationsOf={(form) => [
        {
          operation: 'environments_create',
          body: { ...readNameAndDescription(form), parent: trimmedField(form, 'parent') },
        },
      ]}
      onApplied={(revision, form) => open(revision, readNameAndDescription(form).name)}
    >
      <NameAndDescriptionFields name="" description="" />
      <ParentField environments={environments} chosen={environment.id} />
    </PlannedForm>
  );
}

export function DescribeEnvironment({ environment, applied }: EnvironmentFormProps) {
  const { name, parentId } = environment;
  return (
    <NameAndDescriptionForm
      object={environment}
      operation="environments_partial_update"
      renaming={
        parentId === null ? null : `Programs that read ${name} by name need the new name. The old name returns 404.`
      }
      onApplied={applied}
    />
  );
}

export function MoveEnvironment({ environment, environments, applied }: EnvironmentFormProps) {
  const { id, name, parentId } = environment;
  const descendants = listDescendants(environments, id);
  const excludedIds = new Set([id, ...descendants.map((descendant) => descendant.id)]);
  return (
    <PlannedForm
      verb="Move"
      busyVerb="Moving …"
      aside={<CancelLink />}
      message={(form) => {
        const parent = environments.find((candidate) => candidate.id === trimmedField(form, 'parent'));
        return `${name} inherits from ${parent?.name}`;
      }}
      operationsOf={(form) => {
        const parent = trimmedField(form, 'parent');
        if (parent === parentId) return [];
        return [{ operation: 'environments_partial_update', path: { id }, body: { parent } }];
      }}
      onApplied={applied}
    >
      <ParentField
        environments={environments.filter((candidate) => !excludedIds.has(candidate.id))}
        chosen={parentId ?? ''}
        hint={
          descendants.length === 0
            ? 'Its values move with it.'
            : `Its values and its children move with it: ${descendants.map((descendant) => descendant.name).join(', ')}.`
        }
      />
    </PlannedForm>
  );
}

export function CopyEnvironment({ environment, environments }: EnvironmentFormProps) {
  const { id, name, parentId, accessControlled } = environment;
  const open = useOpenCreated();
  const descendants = listDescendants(environments, id);
  return (
    <CopyForm
      object={environment}
      below={descendants}
      alongVerb="Copy its children too"
      note={
        <>
          The copy is a sibling of <UserText>{name}</UserText>. Tags and grants are not copied
          {accessControlled && '; access to the copy is restricted too, and you own it'}.
        </>
      }
      operationsOf={(shall, form) =>
        environmentCopyOperations(environment, descendants, { ...shall, withValues: form.get('values') === 'with' })
      }
      valuesFrom={(form) => (form.get('values') === 'with' ? null : inheritedFrom(environments, parentId))}
      onCopied={open}
    >
      <Field name="values" label="Its values">
        {(attributes) => (
          <select {...attributes} defaultValue="with">
            <option value="with">copied, including secrets</option>
            <option value="without">not copied: the copy inherits everything</option>
          </select>
        )}
      </Field>
    </CopyForm>
  );
}

export function DeleteEnvironment({ environment, environments }: EnvironmentFormProps) {
  const { id, name } = environment;
  const navigate = useNavigate();
  const descendants = useMemo(() => listDescendants(environments, id), [environments, id]);
  const [withChildren, setWithChildren] = useState(false);
  const operations = useMemo(
    () => environmentDeletionOperations(id, withChildren ? descendants : []),
    [id, descendants, withChildren],
  );
  return (
    <>
      <p className={page.note}>
        Values set in <UserText>{name}</UserText> are deleted with it, and so are its tags and grants.
      </p>
      {descendants.length > 0 && (
        <>
          <p className={page.note}>
            This environment has child environments. Move or delete them first:{' '}
            <NamesInSentence rows={descendants}>{(child) => <EnvironmentLink name={child} />}</NamesInSentence>.
          </p>
          <Check checked={withChildren} onChange={({ target }) => setWithChildren(target.checked)}>
            Delete {descendants.length === 1 ? 'it' : `all ${descendants.length}`} as well
          </Check>
        </>
      )}
      <DeleteForm
        deletes={{ kind: 'environment', name }}
        operations={operations}
        onDeleted={(revision) => navigate({ to: '/environments', state: { applied: revision } })}
      />
    </>
  );
}

interface ParentFieldProps {
  readonly environments: readonly DetailedEnvironment[];
  readonly chosen: string;
  readonly hint?: string;
}

function ParentField({
  environments,
  chosen,
  hint = 'It inherits all values that it does not set itself.',
}: ParentFieldProps) {
  return (
    <Field name="parent" label="Inherits from" hint={hint}>
      {(attributes) => (
        <select {...attributes} defaultValue={chosen}>
          <TreeOptions rows={environments} />
        </select>
      )}
    </Field>
  );
}
