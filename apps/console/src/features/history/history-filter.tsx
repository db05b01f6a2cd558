import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { actorsQuery } from '../../data/history.ts';
import { projectsQuery } from '../../data/projects.ts';
import button from '../../ui/button.module.css';
import { ListStatus } from '../../ui/list-status.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import styles from './history-page.module.css';

const route = getRouteApi('/inside/history');

interface HistoryFilterProps {
  readonly total: number | undefined;
  /** Whether the number is that of an earlier filter. */
  readonly isOld: boolean;
}

/** Shows the filters of the history, which are part of the URL. */
export function HistoryFilter({ total, isOld }: HistoryFilterProps) {
  const { q = '', project = '', actor = '', since = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: projects = [] } = useQuery(projectsQuery());
  const { data: actors = [] } = useQuery(actorsQuery);
  const choose = (filter: Readonly<Record<string, string>>) =>
    navigate({
      search: (search) => {
        const next: Record<string, string | undefined> = { ...search, after: undefined };
        for (const [name, value] of Object.entries(filter)) next[name] = value || undefined;
        return next;
      },
    });
  const isFiltered = [q, project, actor, since].some((value) => value !== '');
  return (
    <search className={styles.filter}>
      <Words key={q} q={q} onChosen={(text) => void choose({ q: text })} />
      <select aria-label="Project" value={project} onChange={(event) => void choose({ project: event.target.value })}>
        <option value="">All projects</option>
        {projects.map(({ id, name }) => (
          <option key={id} value={name}>
            {withVisibleCharacters(name)}
          </option>
        ))}
      </select>
      <select aria-label="Author" value={actor} onChange={(event) => void choose({ actor: event.target.value })}>
        <option value="">Any author</option>
        {actors.map(({ id, name, email }) => (
          <option key={id} value={id}>
            {withVisibleCharacters(name || email || '')}
          </option>
        ))}
      </select>
      <label className={styles.since}>
        Since
        <input type="date" value={since} onChange={(event) => void choose({ since: event.target.value })} />
      </label>
      {isFiltered && (
        <button
          type="button"
          className={button.quiet}
          onClick={() => void choose({ q: '', project: '', actor: '', since: '' })}
        >
          Clear
        </button>
      )}
      <ListStatus isOld={isOld} className={styles.count}>
        {total !== undefined && `${total.toLocaleString()} ${total === 1 ? 'changeset' : 'changesets'}`}
      </ListStatus>
    </search>
  );
}

/** The text is applied when the user confirms it, because each search adds an entry to the browser's history. */
function Words({ q, onChosen }: { readonly q: string; readonly onChosen: (text: string) => void }) {
  const [searchText, setSearchText] = useState(q);
  return (
    <form className={styles.words} action={() => onChosen(searchText.trim())}>
      <input
        type="search"
        aria-label="Message"
        placeholder="Search messages"
        value={searchText}
        onChange={(event) => setSearchText(event.target.value)}
      />
    </form>
  );
}
