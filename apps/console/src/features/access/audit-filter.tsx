import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ACTIONS, auditVerb, OBJECT_TYPES } from '../../data/audit.ts';
import { environmentsQuery } from '../../data/environments.ts';
import { actorsQuery } from '../../data/history.ts';
import { nameOf } from '../../data/people.ts';
import { projectsQuery } from '../../data/projects.ts';
import { nounOf } from '../../kit/history/changeset-words.ts';
import button from '../../ui/button.module.css';
import { spelledOut } from '../../ui/spelled-out.ts';
import styles from './audit-page.module.css';

const route = getRouteApi('/inside/access/audit');

export interface AuditSearch {
  readonly action?: string | undefined;
  /** The kind of object, as the audit calls it. */
  readonly type?: string | undefined;
  /** Ids of an object and of a user. */
  readonly object?: string | undefined;
  readonly actor?: string | undefined;
  /** Names. */
  readonly project?: string | undefined;
  readonly environment?: string | undefined;
  /** Days, both of them shown. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Where the page begins. */
  readonly after?: string | undefined;
}

interface AuditFilterBarProps {
  readonly total: number | undefined;
  readonly isFiltered: boolean;
}

/** What is asked for stands in the address too. */
export function AuditFilterBar({ total, isFiltered }: AuditFilterBarProps) {
  const { actor = '', action = '', type = '', project = '', environment = '', ...rest } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: actors = [] } = useQuery(actorsQuery);
  const { data: projects = [] } = useQuery(projectsQuery());
  const { data: environments = [] } = useQuery(environmentsQuery());
  const choose = (name: keyof AuditSearch) => (event: { readonly target: { readonly value: string } }) =>
    void navigate({ search: (search) => ({ ...search, after: undefined, [name]: event.target.value || undefined }) });
  return (
    <search className={styles.filter}>
      <select aria-label="Author" value={actor} onChange={choose('actor')}>
        <option value="">Any author</option>
        {actors.map((one) => (
          <option key={one.id} value={one.id}>
            {spelledOut(nameOf(one))}
          </option>
        ))}
        {actor !== '' && !actors.some(({ id }) => id === actor) && <option value={actor}>Former member</option>}
      </select>
      <select aria-label="Action" value={action} onChange={choose('action')}>
        <option value="">Any action</option>
        {ACTIONS.map((one) => (
          <option key={one} value={one}>
            {auditVerb(one)}
          </option>
        ))}
      </select>
      <select aria-label="Object type" value={type} onChange={choose('type')}>
        <option value="">Any object</option>
        {OBJECT_TYPES.map((one) => (
          <option key={one} value={one}>
            {nounOf(one)}
          </option>
        ))}
      </select>
      <select aria-label="Project" value={project} onChange={choose('project')}>
        <option value="">All projects</option>
        {projects.map(({ id, name }) => (
          <option key={id} value={name}>
            {spelledOut(name)}
          </option>
        ))}
      </select>
      <select aria-label="Environment" value={environment} onChange={choose('environment')}>
        <option value="">All environments</option>
        {environments.map(({ id, name }) => (
          <option key={id} value={name}>
            {spelledOut(name)}
          </option>
        ))}
      </select>
      <div className={styles.days}>
        <label className={styles.day}>
          From
          <input type="date" value={rest.since ?? ''} onChange={choose('since')} />
        </label>
        <label className={styles.day}>
          To
          <input type="date" value={rest.until ?? ''} onChange={choose('until')} />
        </label>
      </div>
      {isFiltered && (
        <button type="button" className={button.quiet} onClick={() => void navigate({ search: { after: undefined } })}>
          {rest.object === undefined ? 'Clear' : 'Clear filters'}
        </button>
      )}
      <p role="status" className={styles.count}>
        {total !== undefined && `${total.toLocaleString()} ${total === 1 ? 'record' : 'records'}`}
      </p>
    </search>
  );
}
