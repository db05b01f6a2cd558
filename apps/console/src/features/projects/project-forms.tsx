import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { createProject, type DetailedProject, projectsQuery } from '../../data/projects.ts';
import { CopyForm, DeleteForm, NameAndDescriptionForm, SaveForm } from '../../kit/planned/described-forms.tsx';
import type { ChangesetOperations } from '../../kit/planned/planned-change.tsx';
import { type ListedProject, listDependents } from '../../lib/project-forest.ts';
import { Field, Form, trimmedField } from '../../ui/form.tsx';
import { NamesInSentence } from '../../ui/linked-names.tsx';
import {
  NameAndDescriptionFields,
  readNameAndDescription,
  TreeOptions,
} from '../../ui/name-and-description-fields.tsx';
import page from '../../ui/page.module.css';
import { NamePatternField } from './name-pattern-field.tsx';
import { changingProject, type EditedProject, projectCopyOperations } from './project-operations.ts';
import { ProjectSettingsLink } from './project-settings-link.tsx';

interface ProjectFormProps {
  readonly project: DetailedProject;
  readonly projects: readonly ListedProject[];
  applied(revision: number): Promise<void>;
}

/** Keeps the version that the user started to edit, regardless of later changes. */
function useVersion(project: DetailedProject): EditedProject {
  const [{ id, ledgerId, name, parameterNamePattern, dependsOnId }] = useState(project);
  return { id, ledgerId, name, parameter_name_pattern: parameterNamePattern, depends_on: dependsOnId };
}

/** Opens the matrix of the new project. */
function useOpenCreated() {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async (revision: number, name: string) => {
    await client.invalidateQueries({ queryKey: projectsQuery().queryKey });
    await navigate({ to: '/projects/$name', params: { name }, state: { applied: revision } });
  };
}

/** Creates an empty project, without a plan, because it changes no effective value of other projects. */
export function CreateProject() {
  const { data: projects = [] } = useQuery(projectsQuery());
  const open = useOpenCreated();
  const submit = async (input: FormData) => {
    const project = readNameAndDescription(input);
    await open(await createProject({ ...project, depends_on: dependencyIn(input) }), project.name);
  };
  return (
    <Form verb="Create project" busyVerb="Creating …" submit={submit}>
      <NameAndDescriptionFields name="" description="" />
      {projects.length > 0 && <DependsOnField projects={projects} chosen={null} />}
    </Form>
  );
}

export function DescribeProject({ project, applied }: ProjectFormProps) {
  return (
    <NameAndDescriptionForm
      object={project}
      operation="projects_partial_update"
      renaming={`Programs that read ${project.name} by name need the new name. A project that values of other projects reference can’t be renamed until those are updated.`}
      onApplied={applied}
    />
  );
}

export function ChooseDependency({ project, projects, applied }: ProjectFormProps) {
  const currentVersion = useVersion(project);
  const { id, name } = currentVersion;
  return (
    <SaveForm
      message={(form) => {
        const chosenProject = projects.find((candidate) => candidate.id === trimmedField(form, 'depends_on'));
        return chosenProject ? `${name} depends on ${chosenProject.name}` : `${name} has no parent project`;
      }}
      operationsOf={(form) => changingProject(currentVersion, { depends_on: dependencyIn(form) })}
      onApplied={applied}
    >
      <DependsOnField
        projects={projects.filter((candidate) => candidate.id !== id)}
        chosen={currentVersion.depends_on}
      />
    </SaveForm>
  );
}

export function NamePatternForm({ project, applied }: ProjectFormProps) {
  const currentVersion = useVersion(project);
  const { id, name } = currentVersion;
  return (
    <SaveForm
      message={(form) =>
        form.get('pattern') ? `Name pattern of ${name}: ${form.get('pattern')}` : `No name pattern of ${name}`
      }
      operationsOf={(form) => changingProject(currentVersion, { parameter_name_pattern: String(form.get('pattern')) })}
      onApplied={applied}
    >
      <NamePatternField projectId={id} pattern={currentVersion.parameter_name_pattern} />
    </SaveForm>
  );
}

export function CopyProject({ project, projects }: ProjectFormProps) {
  const { id, dependsOnId } = project;
  const open = useOpenCreated();
  return (
    <CopyForm
      object={project}
      below={listDependents(projects, id)}
      alongVerb="Copy dependent projects too"
      note="Parameters, rules, values and templates are copied. References between them point to the copies. Grants are not copied."
      operationsOf={(shall, form) => projectCopyOperations(id, { ...shall, dependsOnId: dependencyIn(form) })}
      valuesFrom={(form) => (dependencyIn(form) === dependsOnId ? null : 'copied or inherited')}
      onCopied={open}
    >
      <DependsOnField projects={projects} chosen={dependsOnId} />
    </CopyForm>
  );
}

export function DeleteProject({ project, projects }: ProjectFormProps) {
  const { id, name } = project;
  const navigate = useNavigate();
  const dependents = projects.filter((candidate) => candidate.dependsOnId === id);
  const operations = useMemo<ChangesetOperations>(() => [{ operation: 'projects_destroy', path: { id } }], [id]);
  return (
    <>
      <p className={page.note}>Its parameters, values and templates are deleted with it.</p>
      {dependents.length > 0 && (
        <p className={page.note}>
          Other projects depend on it. Delete them, or change their parent project first:{' '}
          <NamesInSentence rows={dependents}>
            {(dependentName) => <ProjectSettingsLink name={dependentName} />}
          </NamesInSentence>
          .
        </p>
      )}
      <DeleteForm
        deletes={{ kind: 'project', name }}
        operations={operations}
        onDeleted={(revision) => navigate({ to: '/projects', state: { applied: revision } })}
      />
    </>
  );
}

const dependencyIn = (form: FormData): string | null => trimmedField(form, 'depends_on') || null;

interface DependsOnFieldProps {
  readonly projects: readonly ListedProject[];
  readonly chosen: string | null;
}

function DependsOnField({ projects, chosen }: DependsOnFieldProps) {
  return (
    <Field name="depends_on" label="Depends on" hint="It inherits that project’s parameters and values.">
      {(attributes) => (
        <select {...attributes} defaultValue={chosen ?? ''}>
          <option value="">None</option>
          <TreeOptions rows={projects} />
        </select>
      )}
    </Field>
  );
}
