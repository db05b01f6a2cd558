import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { PlannedChange } from '../review/planned-change.tsx';
import { PlannedForm } from '../review/planned-form.tsx';
import { DescribedFields, TreeOptions } from '../ui/described-fields.tsx';
import { Check, Field, typedIn } from '../ui/form.tsx';
import page from '../ui/page.module.css';
import { Leave } from '../ui/verbs.tsx';
import type { DetailedEnvironment } from './environment-details.ts';
import { copying, deleting, describing } from './environment-operations.ts';
import { descendantsOf } from './environment-tree.ts';

interface EnvironmentFormProps {
  readonly environment: DetailedEnvironment;
  readonly environments: readonly DetailedEnvironment[];
  applied(revision: number): Promise<void>;
}

/** Opens the page of an environment that was made just now. */
function useOpening() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (name: string) => {
    await client.invalidateQueries({ queryKey: ['environments', 'details'] });
    await navigate({ to: '/environments/$environment', params: { environment: name }, search: {} });
  };
}

export function CreateEnvironment({ environment, environments }: EnvironmentFormProps) {
  const open = useOpening();
  return (
    <PlannedForm
      verb="Create it"
      busyVerb="Creating it …"
      aside={<Leave />}
      message={(given) => `Environment ${typedIn(given, 'name')}`}
      operationsOf={(given) => [
        {
          operation: 'environments_create',
          body: {
            name: typedIn(given, 'name'),
            description: typedIn(given, 'description'),
            parent: typedIn(given, 'parent'),
          },
        },
      ]}
      onApplied={(_, given) => open(typedIn(given, 'name'))}
    >
      <DescribedFields name="" description="" />
      <ParentField environments={environments} chosen={environment.id} />
    </PlannedForm>
  );
}

export function DescribeEnvironment({ environment, applied }: EnvironmentFormProps) {
  // As it was when somebody began to write.
  const [is] = useState(environment);
  const { name, description, parentId } = is;
  return (
    <PlannedForm
      verb="Save"
      busyVerb="Saving …"
      aside={<Leave />}
      message={(given) => {
        const called = typedIn(given, 'name');
        return called === '' || called === name ? `What ${name} is for` : `${name} is called ${called}`;
      }}
      operationsOf={(given) =>
        describing(is, {
          name: parentId === null ? name : typedIn(given, 'name'),
          description: typedIn(given, 'description'),
        })
      }
      onApplied={applied}
    >
      <DescribedFields name={parentId === null ? null : name} description={description} />
      {parentId !== null && (
        <p className={page.note}>
          Programs that read {name} by its name have to be told the new one: the old one leads nowhere.
        </p>
      )}
    </PlannedForm>
  );
}

export function MoveEnvironment({ environment, environments, applied }: EnvironmentFormProps) {
  const { id, name, parentId } = environment;
  const below = descendantsOf(environments, id);
  const own = new Set([id, ...below.map((one) => one.id)]);
  return (
    <PlannedForm
      verb="Move it"
      busyVerb="Moving it …"
      aside={<Leave />}
      message={(given) => {
        const parent = environments.find((one) => one.id === typedIn(given, 'parent'));
        return `${name} inherits from ${parent?.name}`;
      }}
      operationsOf={(given) => {
        const parent = typedIn(given, 'parent');
        if (parent === parentId) return [];
        return [{ operation: 'environments_partial_update', path: { id }, body: { parent } }];
      }}
      onApplied={applied}
    >
      <ParentField
        environments={environments.filter((one) => !own.has(one.id))}
        chosen={parentId ?? ''}
        hint={
          below.length === 0
            ? 'It takes along what is set in it.'
            : `It takes along what is set in it, and what is below it: ${below.map((one) => one.name).join(', ')}.`
        }
      />
    </PlannedForm>
  );
}

export function CopyEnvironment({ environment, environments }: EnvironmentFormProps) {
  const { id, name, description } = environment;
  const open = useOpening();
  const [withChildren, setWithChildren] = useState(false);
  const below = descendantsOf(environments, id);
  const childField = (child: DetailedEnvironment) => `child-${child.id}`;
  return (
    <PlannedForm
      verb="Copy it"
      busyVerb="Copying it …"
      aside={<Leave />}
      message={(given) => `${typedIn(given, 'name')} is a copy of ${name}`}
      operationsOf={(given) =>
        copying(environment, below, {
          name: typedIn(given, 'name'),
          description: typedIn(given, 'description'),
          withValues: given.get('values') === 'with',
          childNames: withChildren
            ? Object.fromEntries(below.map((child) => [child.name, typedIn(given, childField(child))]))
            : null,
        })
      }
      onApplied={(_, given) => open(typedIn(given, 'name'))}
    >
      <p className={page.note}>
        The copy stands beside {name}. Tags and grants are not copied
        {environment.accessControlled && '; access to it is controlled as well, and you own it'}.
      </p>
      <DescribedFields name={`${name}-1`} description={description} />
      <Field name="values" label="What is set in it">
        {(attributes) => (
          <select {...attributes} defaultValue="with">
            <option value="with">copied as well, secrets too</option>
            <option value="without">left out: the copy inherits everything</option>
          </select>
        )}
      </Field>
      {below.length > 0 && (
        <Check name="children" checked={withChildren} onChange={({ target }) => setWithChildren(target.checked)}>
          Copy what is below it, too
        </Check>
      )}
      {withChildren &&
        below.map((child) => (
          <Field key={child.id} name={childField(child)} label={`Copy of ${child.name}`}>
            {(attributes) => <input {...attributes} required autoComplete="off" defaultValue={`${child.name}-1`} />}
          </Field>
        ))}
    </PlannedForm>
  );
}

export function DeleteEnvironment({ environment, environments }: EnvironmentFormProps) {
  const { id, name } = environment;
  const navigate = useNavigate();
  const below = useMemo(() => descendantsOf(environments, id), [environments, id]);
  const [withChildren, setWithChildren] = useState(false);
  const operations = useMemo(() => deleting(id, withChildren ? below : []), [id, below, withChildren]);
  const leave = () => navigate({ to: '/environments' });
  return (
    <>
      <p className={page.note}>What is set in {name} goes with it, and so do its tags and grants.</p>
      {below.length > 0 && (
        <>
          <p className={page.note}>
            It is not deleted while something inherits from it. Move these first, or delete them with it:{' '}
            {below.map((child, at) => (
              <span key={child.id}>
                {at > 0 && ', '}
                <Link to="/environments/$environment" params={{ environment: child.name }} className={page.link}>
                  {child.name}
                </Link>
              </span>
            ))}
            .
          </p>
          <Check checked={withChildren} onChange={({ target }) => setWithChildren(target.checked)}>
            Delete {below.length === 1 ? 'it' : `all ${below.length}`} as well
          </Check>
        </>
      )}
      <PlannedChange
        operations={operations}
        verb="Delete it"
        busyVerb="Deleting it …"
        message={`${name} is deleted`}
        aside={<Leave />}
        onApplied={leave}
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
  hint = 'Every value that it does not set comes from there.',
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
