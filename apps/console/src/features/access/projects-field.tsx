import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { projectsQuery } from '../../data/projects.ts';
import { formatCount } from '../../lib/format-count.ts';
import { Check, Field } from '../../ui/form.tsx';
import { UserText } from '../../ui/user-text.tsx';
import styles from './projects-field.module.css';

const NAME = 'only_projects';

interface ProjectsFieldProps {
  /** The ids of the projects that the service account is limited to; null for no limit. */
  readonly current: readonly string[] | null;
}

/** Renders the choice of the projects that a service account reads. */
export function ProjectsField({ current }: ProjectsFieldProps) {
  const { data: projects = [] } = useQuery(projectsQuery());
  const [isLimited, setLimited] = useState(current !== null);
  const [chosenIds, setChosenIds] = useState<ReadonlySet<string>>(new Set(current));
  const listId = useId();
  const toggle = (id: string) => {
    const next = new Set(chosenIds);
    if (!next.delete(id)) next.add(id);
    setChosenIds(next);
  };
  return (
    <>
      <Field
        name={NAME}
        label="Projects"
        hint={
          isLimited
            ? 'It also reads the projects that these depend on. Values that refer to other projects are masked for it.'
            : 'It reads all projects that are not restricted, also those that are created later.'
        }
      >
        {(attributes) => (
          <select
            {...attributes}
            aria-controls={isLimited ? listId : undefined}
            value={isLimited ? 'only' : 'all'}
            onChange={(event) => setLimited(event.target.value === 'only')}
          >
            <option value="all">All projects</option>
            <option value="only">
              {chosenIds.size === 0 ? 'Only the following' : `Only ${formatCount(chosenIds.size, 'project')}`}
            </option>
          </select>
        )}
      </Field>
      {isLimited && (
        <fieldset id={listId} className={styles.projects}>
          <legend className="heard">Only these projects</legend>
          {projects.map(({ id, name }) => (
            <Check key={id} name={ID} value={id} checked={chosenIds.has(id)} onChange={() => toggle(id)}>
              <UserText>{name}</UserText>
            </Check>
          ))}
        </fieldset>
      )}
    </>
  );
}

const ID = 'project';

/** Returns the chosen projects of a submitted form; null for no limit. The form has no such field for other roles. */
export const readProjectLimit = (form: FormData): string[] | null =>
  form.get(NAME) === 'only' ? form.getAll(ID).map(String) : null;

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
