import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ACTIONS, auditVerb, OBJECT_TYPES } from '../../data/audit.ts';
import { environmentsQuery } from '../../data/environments.ts';
import { actorsQuery } from '../../data/history.ts';
import { displayName } from '../../data/people.ts';
import { projectsQuery } from '../../data/projects.ts';
import { describeObjectType } from '../../kit/history/changeset-descriptions.ts';
import button from '../../ui/button.module.css';
import { ListStatus } from '../../ui/list-status.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import styles from './audit-page.module.css';

const route = getRouteApi('/inside/access/audit');

export interface AuditSearch {
  readonly action?: string | undefined;
  /** The type of the object. */
  readonly type?: string | undefined;
  /** The id of the object. */
  readonly object?: string | undefined;
  /** The id of the user. */
  readonly actor?: string | undefined;
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
  /** The first and the last day. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** The cursor of the page. */
  readonly after?: string | undefined;
}

interface AuditFilterBarProps {
  readonly total: number | undefined;
  /** Whether the number is that of an earlier filter. */
  readonly isOld: boolean;
  readonly isFiltered: boolean;
}

/** Shows the filters of the audit log, which are part of the URL. */
export function AuditFilterBar({ total, isOld, isFiltered }: AuditFilterBarProps) {
  const { actor = '', action = '', type = '', project = '', environment = '', ...rest } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: actors = [] } = useQuery(actorsQuery);
  const { data: projects = [] } = useQuery(projectsQuery());
  const { data: environments = [] } = useQuery(environmentsQuery());
  const choose = (name: keyof AuditSearch) => (value: string) =>
    void navigate({ search: (search) => ({ ...search, after: undefined, [name]: value || undefined }) });
  const members = actors.map((actor) => [actor.id, displayName(actor)] as const);
  const isFormer = actor !== '' && !actors.some(({ id }) => id === actor);
  const toChoice = ({ name }: { readonly name: string }) => [name, name] as const;
  return (
    <search className={styles.filter}>
      <FilterSelect
        label="Author"
        all="Any author"
        options={isFormer ? [...members, [actor, 'Former member']] : members}
        value={actor}
        onChoose={choose('actor')}
      />
      <FilterSelect
        label="Action"
        all="Any action"
        options={ACTIONS.map((auditedAction) => [auditedAction, auditVerb(auditedAction)])}
        value={action}
        onChoose={choose('action')}
      />
      <FilterSelect
        label="Object type"
        all="Any object"
        options={OBJECT_TYPES.map((objectType) => [objectType, describeObjectType(objectType)])}
        value={type}
        onChoose={choose('type')}
      />
      <FilterSelect
        label="Project"
        all="All projects"
        options={projects.map(toChoice)}
        value={project}
        onChoose={choose('project')}
      />
      <FilterSelect
        label="Environment"
        all="All environments"
        options={environments.map(toChoice)}
        value={environment}
        onChoose={choose('environment')}
      />
      <div className={styles.days}>
        <DayField label="From" day={rest.since} onChoose={choose('since')} />
        <DayField label="To" day={rest.until} onChoose={choose('until')} />
      </div>
      {isFiltered && (
        <button type="button" className={button.quiet} onClick={() => void navigate({ search: { after: undefined } })}>
          {rest.object === undefined ? 'Clear' : 'Clear filters'}
        </button>
      )}
      <ListStatus isOld={isOld} className={styles.count}>
        {total !== undefined && `${total.toLocaleString()} ${total === 1 ? 'record' : 'records'}`}
      </ListStatus>
    </search>
  );
}

interface FilterSelectProps {
  readonly label: string;
  /** The label of the option that removes the filter. */
  readonly all: string;
  /** The values with their labels. */
  readonly options: readonly (readonly [string, string])[];
  readonly value: string;
  onChoose(value: string): void;
}

/** A select that filters a list. The first option removes the filter. */
export function FilterSelect({ label, all, options, value, onChoose }: FilterSelectProps) {
  return (
    <select aria-label={label} value={value} onChange={({ target }) => onChoose(target.value)}>
      <option value="">{all}</option>
      {options.map(([option, caption]) => (
        <option key={option} value={option}>
          {withVisibleCharacters(caption)}
        </option>
      ))}
    </select>
  );
}

interface DayFieldProps {
  readonly label: string;
  readonly day: string | undefined;
  onChoose(day: string): void;
}

function DayField({ label, day = '', onChoose }: DayFieldProps) {
  return (
    <label className={styles.day}>
      {label}
      <input type="date" value={day} onChange={({ target }) => onChoose(target.value)} />
    </label>
  );
}
