import { useQuery } from '@tanstack/react-query';
import { projectsQuery } from '../../data/projects.ts';
import { readScopeLimit, ScopeLimitField } from './scope-limit-field.tsx';

const NAME = 'only_projects';

const HINTS = {
  limited: 'It also reads the projects that these depend on. Values that refer to other projects are masked for it.',
  unlimited: 'It reads all projects that are not restricted, also those that are created later.',
};

interface ProjectsFieldProps {
  /** The ids of the projects that the service account is limited to; null for no limit. */
  readonly current: readonly string[] | null;
}

/** Renders the choice of the projects that a service account reads. */
export function ProjectsField({ current }: ProjectsFieldProps) {
  const { data: projects = [] } = useQuery(projectsQuery());
  return (
    <ScopeLimitField name={NAME} label="Projects" noun="project" scopes={projects} current={current} hints={HINTS} />
  );
}

/** Returns the chosen projects of a submitted form; null for no limit. The form has no such field for other roles. */
export const readProjectLimit = (form: FormData): string[] | null => readScopeLimit(form, NAME);

/** Describes the limit of a service account, as in `only web and base`. Projects that the user cannot see are only mentioned. */
export function describeLimit(
  ids: readonly string[] | null,
  projects: readonly { readonly id: string; readonly name: string }[],
) {
  if (ids === null) return 'all projects';
  if (ids.length === 0) return 'no project';
  const names = projects.flatMap(({ id, name }) => (ids.includes(id) ? [name] : [])).toSorted();
  return `only ${LIST.format(names.length < ids.length ? [...names, 'hidden projects'] : names)}`;
}

const LIST = new Intl.ListFormat('en', { type: 'conjunction' });
