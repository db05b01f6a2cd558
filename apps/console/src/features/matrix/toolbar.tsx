import { Search, X } from 'lucide-react';
import { memo, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { EnvironmentColumn } from '../../lib/environment-tree.ts';
import type { ListedProject } from '../../lib/project-forest.ts';
import { ListStatus } from '../../ui/list-status.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { ColumnsChoice } from './columns-choice.tsx';
import type { GroupActions } from './group-actions.ts';
import { type MatrixSearch, STATE_FILTERS } from './matrix-search.ts';
import { NewParameterLink } from './new-parameter-link.tsx';
import styles from './toolbar.module.css';
import { ViewsChoice } from './views-choice.tsx';

interface ToolbarProps {
  readonly project: Pick<ListedProject, 'id' | 'name'>;
  readonly environments: readonly EnvironmentColumn[];
  /** The environments that are columns unless the URL names others. */
  readonly defaults: readonly EnvironmentColumn[];
  readonly search: MatrixSearch;
  /** The number of matching rows; undefined while it is being loaded. */
  readonly count: number | undefined;
  /** Whether the rows are still those of an earlier filter, order or choice of columns. */
  readonly isOld: boolean;
  readonly isNarrow: boolean;
  readonly groups: GroupActions;
  onSearch(next: Partial<MatrixSearch>): void;
  /** Moves the focus to the grid. */
  onLeave(): void;
}

/** Shows the filters of the matrix, which are part of the URL so that links can be shared. */
export const Toolbar = memo(function Toolbar(props: ToolbarProps) {
  const { project, environments, defaults, search, count, isOld, isNarrow, groups, onSearch, onLeave } = props;
  const isFiltered = search.q !== undefined || search.state !== undefined;
  // An empty matrix has its own button for this.
  const newParameter = ((count ?? 0) > 0 || isFiltered) && <NewParameterLink project={project} />;
  const columns = environments.length > 0 && (
    <ColumnsChoice {...{ environments, defaults, search, isNarrow, groups, onSearch }} />
  );
  return (
    <search className={styles.toolbar} aria-label="Filters" data-region>
      {isNarrow && (
        <select
          className={styles.environment}
          aria-label="Environment"
          value={search.env ?? environments[0]?.name}
          onChange={({ target }) => onSearch({ env: target.value })}
        >
          {environments.map(({ id, name }) => (
            <option key={id} value={name}>
              {withVisibleCharacters(name)}
            </option>
          ))}
        </select>
      )}
      <FilterField q={search.q ?? ''} onFilter={(q) => onSearch({ q: q || undefined })} onLeave={onLeave} />
      {isNarrow && columns}
      {isNarrow && newParameter}
      <fieldset className={styles.states}>
        <legend className="heard">Show</legend>
        {STATE_FILTERS.map(({ state, label, about }) => (
          <label key={label} className={styles.state} title={about}>
            <input type="radio" name="state" checked={search.state === state} onChange={() => onSearch({ state })} />
            {label}
          </label>
        ))}
      </fieldset>
      {!isNarrow && columns}
      {!isNarrow && <ViewsChoice projectId={project.id} {...{ environments, search, onSearch }} />}
      <ListStatus isOld={isOld} busy={isFiltered ? 'Filtering …' : 'Loading …'} className={styles.count}>
        {count !== undefined && (
          <>
            {count.toLocaleString()} {count === 1 ? 'parameter' : 'parameters'}
            {isFiltered && ' found'}
          </>
        )}
      </ListStatus>
      {!isNarrow && newParameter}
    </search>
  );
});

/** The delay between typing and filtering. */
const PAUSE_MS = 180;

interface FilterFieldProps {
  readonly q: string;
  onFilter(q: string): void;
  onLeave(): void;
}

function FilterField({ q, onFilter, onLeave }: FilterFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [filterText, setFilterText] = useState(q);
  /** The filter that the URL has, or will have because of this field. */
  const requested = useRef(q);
  useEffect(() => {
    // The back and forward buttons and links change the URL, too.
    if (q !== requested.current) setFilterText(q);
    requested.current = q;
  }, [q]);
  const filter = (text: string) => {
    requested.current = text;
    onFilter(text);
  };
  const filterTyped = useEffectEvent(() => filter(filterText.trim()));
  useEffect(() => {
    if (filterText.trim() === q) return;
    const timer = setTimeout(() => filterTyped(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [filterText, q]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isWriting = (event.target as Element).matches('input, textarea, select');
      if (event.key !== '/' || isWriting || event.metaKey || event.ctrlKey || event.altKey) return;
      event.preventDefault();
      field.current?.select();
      field.current?.focus();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const clear = () => {
    setFilterText('');
    filter('');
  };
  return (
    <div className={styles.field}>
      <Search size={14} aria-hidden />
      <input
        ref={field}
        type="search"
        aria-label="Filter by name or value"
        aria-keyshortcuts="/"
        placeholder="Filter by name or value"
        value={filterText}
        onChange={({ target }) => setFilterText(target.value)}
        onKeyDown={({ key }) => {
          if (key === 'Escape') clear();
          else if (key === 'Enter') filter(filterText.trim());
          if (key === 'ArrowDown' || key === 'Enter' || key === 'Escape') onLeave();
        }}
      />
      {filterText === '' ? (
        <kbd aria-hidden>/</kbd>
      ) : (
        <button type="button" className={styles.clear} aria-label="Clear filter" onClick={clear}>
          <X size={14} aria-hidden />
        </button>
      )}
    </div>
  );
}
