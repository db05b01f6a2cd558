import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type ChangesetOperations, PlannedChange } from '../review/planned-change.tsx';
import { PlannedForm } from '../review/planned-form.tsx';
import { DescribedFields, TreeOptions } from '../ui/described-fields.tsx';
import { Check, Field, typedIn } from '../ui/form.tsx';
import page from '../ui/page.module.css';
import { Leave } from '../ui/verbs.tsx';
import { NamePatternField } from './name-pattern-field.tsx';
import type { DetailedProject } from './project-details.ts';
import { dependentsOf, type ListedProject } from './project-forest.ts';
import { type BegunProject, changingProject, copyingProject } from './project-operations.ts';
import { projectsQuery } from './projects.ts';

interface ProjectFormProps {
  readonly project: DetailedProject;
  readonly projects: readonly ListedProject[];
  applied(revision: number): Promise<void>;
}

/** As it was when somebody began to write, whatever is heard of it meanwhile. */
function useVersion(project: DetailedProject): BegunProject {
  const [{ id, ledgerId, name, description, parameterNamePattern, dependsOnId }] = useState(project);
  return { id, ledgerId, name, description, parameter_name_pattern: parameterNamePattern, depends_on: dependsOnId };
}

/** Opens the matrix of a project that was made just now. */
function useOpening() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (name: string) => {
    await client.invalidateQueries({ queryKey: projectsQuery().queryKey });
    await navigate({ to: '/projects/$name', params: { name } });
  };
}

/** A project that nothing is in yet. */
export function CreateProject() {
  const { data: projects = [] } = useQuery(projectsQuery());
  const open = useOpening();
  return (
    <PlannedForm
      verb="Create it"
      busyVerb="Creating it …"
      message={(given) => `Project ${typedIn(given, 'name')}`}
      operationsOf={(given) => [
        {
          operation: 'projects_create',
          body: {
            name: typedIn(given, 'name'),
            description: typedIn(given, 'description'),
            depends_on: typedIn(given, 'depends_on') || null,
          },
        },
      ]}
      onApplied={(_, given) => open(typedIn(given, 'name'))}
    >
      <DescribedFields name="" description="" />
      {projects.length > 0 && <DependsOnField projects={projects} chosen={null} />}
    </PlannedForm>
  );
}

export function DescribeProject({ project, applied }: ProjectFormProps) {
  const is = useVersion(project);
  const { name, description } = is;
  return (
    <PlannedForm
      verb="Save"
      busyVerb="Saving …"
      aside={<Leave />}
      message={(given) =>
        typedIn(given, 'name') === name ? `What ${name} is for` : `${name} is called ${typedIn(given, 'name')}`
      }
      operationsOf={(given) =>
        changingProject(is, {
          name: typedIn(given, 'name'),
          description: typedIn(given, 'description'),
        })
      }
      onApplied={applied}
    >
      <DescribedFields name={name} description={description} />
      <p className={page.note}>
        Programs that read {name} by its name have to be told a new one. A project whose name stands in texts of others
        cannot be called otherwise before those are changed.
      </p>
    </PlannedForm>
  );
}

export function ChooseDependency({ project, projects, applied }: ProjectFormProps) {
  const is = useVersion(project);
  const { id, name } = is;
  return (
    <PlannedForm
      verb="Save"
      busyVerb="Saving …"
      aside={<Leave />}
      message={(given) => {
        const chosen = projects.find((one) => one.id === typedIn(given, 'depends_on'));
        return chosen ? `${name} depends on ${chosen.name}` : `${name} depends on nothing`;
      }}
      operationsOf={(given) => changingProject(is, { depends_on: typedIn(given, 'depends_on') || null })}
      onApplied={applied}
    >
      <DependsOnField projects={projects.filter((one) => one.id !== id)} chosen={is.depends_on} />
    </PlannedForm>
  );
}

export function ChooseNamePattern({ project, applied }: ProjectFormProps) {
  const is = useVersion(project);
  const { id, name } = is;
  return (
    <PlannedForm
      verb="Save"
      busyVerb="Saving …"
      aside={<Leave />}
      message={(given) => `Names in ${name} ${given.get('pattern') ? `match ${given.get('pattern')}` : 'are free'}`}
      operationsOf={(given) => changingProject(is, { parameter_name_pattern: String(given.get('pattern')) })}
      onApplied={applied}
    >
      <NamePatternField projectId={id} pattern={is.parameter_name_pattern} />
    </PlannedForm>
  );
}

export function CopyProject({ project, projects }: ProjectFormProps) {
  const { id, name, description, dependsOnId } = project;
  const open = useOpening();
  const [withDependents, setWithDependents] = useState(false);
  const below = dependentsOf(projects, id);
  const childField = (child: ListedProject) => `child-${child.id}`;
  return (
    <PlannedForm
      verb="Copy it"
      busyVerb="Copying it …"
      aside={<Leave />}
      message={(given) => `${typedIn(given, 'name')} is a copy of ${name}`}
      operationsOf={(given) =>
        copyingProject(id, {
          name: typedIn(given, 'name'),
          description: typedIn(given, 'description'),
          dependsOnId: typedIn(given, 'depends_on') || null,
          childNames: withDependents
            ? Object.fromEntries(below.map((child) => [child.name, typedIn(given, childField(child))]))
            : null,
        })
      }
      onApplied={(_, given) => open(typedIn(given, 'name'))}
    >
      <p className={page.note}>
        Parameters, rules, values and templates are copied; texts that refer to each other refer to the copies. Grants
        are not copied.
      </p>
      <DescribedFields name={`${name}-1`} description={description} />
      <DependsOnField projects={projects} chosen={dependsOnId} />
      {below.length > 0 && (
        <Check name="children" checked={withDependents} onChange={({ target }) => setWithDependents(target.checked)}>
          Copy what depends on it, too
        </Check>
      )}
      {withDependents &&
        below.map((child) => (
          <Field key={child.id} name={childField(child)} label={`Copy of ${child.name}`}>
            {(attributes) => <input {...attributes} required autoComplete="off" defaultValue={`${child.name}-1`} />}
          </Field>
        ))}
    </PlannedForm>
  );
}

export function DeleteProject({ project, projects }: ProjectFormProps) {
  const { id, name } = project;
  const navigate = useNavigate();
  const dependents = projects.filter((one) => one.dependsOnId === id);
  const operations = useMemo<ChangesetOperations>(() => [{ operation: 'projects_destroy', path: { id } }], [id]);
  return (
    <>
      <p className={page.note}>Its parameters, values and templates go with it.</p>
      {dependents.length > 0 && (
        <p className={page.note}>
          It is not deleted while something depends on it. Delete these first, or make them depend on something else:{' '}
          {dependents.map((dependent, at) => (
            <span key={dependent.id}>
              {at > 0 && ', '}
              <Link to="/projects/$name/settings" params={{ name: dependent.name }} className={page.link}>
                {dependent.name}
              </Link>
            </span>
          ))}
          .
        </p>
      )}
      <PlannedChange
        operations={operations}
        verb="Delete it"
        busyVerb="Deleting it …"
        message={`${name} is deleted`}
        aside={<Leave />}
        onApplied={() => navigate({ to: '/projects' })}
      />
    </>
  );
}

interface DependsOnFieldProps {
  readonly projects: readonly ListedProject[];
  readonly chosen: string | null;
}

function DependsOnField({ projects, chosen }: DependsOnFieldProps) {
  return (
    <Field name="depends_on" label="Depends on" hint="It inherits the parameters of that project, with their values.">
      {(attributes) => (
        <select {...attributes} defaultValue={chosen ?? ''}>
          <option value="">nothing</option>
          <TreeOptions rows={projects} />
        </select>
      )}
    </Field>
  );
}
