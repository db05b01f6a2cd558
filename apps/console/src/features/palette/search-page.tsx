import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import {
  environmentOf,
  type FoundParameter,
  foundQuery,
  SEARCH_TEXT_LENGTH_MAX,
  SEARCHABLE_FIELDS,
} from '../../data/search.ts';
import { useMoment } from '../../data/use-moment.ts';
import button from '../../ui/button.module.css';
import { Empty } from '../../ui/empty.tsx';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import styles from './search-page.module.css';

const route = getRouteApi('/inside/search');

/** Searches the names, descriptions and texts of parameters in all projects. */
export function SearchPage() {
  const { q, place } = route.useSearch();
  return (
    <div className={page.page}>
      <SearchForm key={`${q} ${place}`} />
      {q === undefined ? (
        <Empty title="Search parameters and values">
          <p>
            Searches names, descriptions and values in all projects and environments you have access to. Letter case is
            ignored. Secret values are not searched.
          </p>
        </Empty>
      ) : (
        <>
          <Found typed={q} />
          <p className={page.note}>
            <Link to="/history" search={{ q }} className={page.link}>
              Search history for “{q}”
            </Link>{' '}
            are in the history.
          </p>
        </>
      )}
    </div>
  );
}

const PLACE_WORDS = { name: 'names', value: 'texts', description: 'descriptions' } as const;

function SearchForm() {
  const { q, place } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <search>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          const given = new FormData(event.currentTarget);
          const chosen = SEARCHABLE_FIELDS.find((one) => one === given.get('place'));
          void navigate({ search: { q: String(given.get('q')).trim() || undefined, place: chosen } });
        }}
      >
        <input
          name="q"
          type="search"
          aria-label="Search for"
          placeholder="Name or part of a value"
          required
          maxLength={SEARCH_TEXT_LENGTH_MAX}
          spellCheck={false}
          autoComplete="off"
          defaultValue={q}
        />
        <select name="place" aria-label="Search in" defaultValue={place ?? ''}>
          <option value="">everything</option>
          {SEARCHABLE_FIELDS.map((one) => (
            <option key={one} value={one}>
              in {PLACE_WORDS[one]}
            </option>
          ))}
        </select>
        <button type="submit" className={button.main}>
          Search
        </button>
      </form>
    </search>
  );
}

function Found({ typed }: { readonly typed: string }) {
  const { place } = route.useSearch();
  const { args } = useMoment();
  const found = useInfiniteQuery(foundQuery(typed, place, args));
  if (found.error) return <ErrorMessage error={found.error} reset={() => void found.refetch()} />;
  if (!found.data) return <p role="status">Searching …</p>;
  const hits = found.data.pages.flatMap(({ results }) => results);
  const skipped = found.data.pages.reduce((sum, one) => sum + one.skipped, 0);
  return (
    <>
      <p role="status" className={page.note}>
        {countWords(hits.length, found.hasNextPage)}
        {skipped > 0 && ` ${skipped.toLocaleString()} values could not be searched because they cannot be resolved.`}
      </p>
      <ul className={styles.list}>
        {hits.map((hit) => (
          <Hit key={`${hit.projectId} ${hit.parameterId}`} hit={hit} />
        ))}
      </ul>
      {found.hasNextPage && (
        <button
          type="button"
          className={button.plain}
          disabled={found.isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
        >
          {found.isFetchingNextPage ? 'Searching …' : 'Continue'}
        </button>
      )}
    </>
  );
}

function countWords(count: number, isMore: boolean): string {
  if (count === 0) return isMore ? 'No results so far.' : 'No results. Secret values are not searched.';
  const parameters = count === 1 ? '1 parameter' : `${count.toLocaleString()} parameters`;
  return isMore ? `${parameters} so far.` : `${parameters}.`;
}

function Hit({ hit }: { readonly hit: FoundParameter }) {
  const { name, projectName, description, secret, wins } = hit;
  return (
    <li className={styles.hit}>
      <Link
        to="/projects/$name"
        params={{ name: projectName }}
        search={{ cell: name, in: environmentOf(hit) }}
        className={styles.name}
      >
        <span className={styles.project}>
          <UserText>{projectName}</UserText>
        </span>{' '}
        <UserText>{name}</UserText>
      </Link>
      {secret && <Lock size={12} aria-label="secret" role="img" />}
      {description !== '' && (
        <span className={styles.description}>
          <UserText>{description}</UserText>
        </span>
      )}
      <ul className={styles.wins}>
        {wins.map(({ valueId, environments, matched, ...win }) => (
          <li key={valueId} data-matched={matched || undefined}>
            <code>
              <UserText>{textOf(win)}</UserText>
            </code>{' '}
            <span>
              <UserText>{environments.map((one) => one.environmentName).join(', ')}</UserText>
            </span>
          </li>
        ))}
      </ul>
    </li>
  );
}

function textOf({
  value,
  secret,
  failed,
  cut,
}: Omit<FoundParameter['wins'][number], 'valueId' | 'environments' | 'matched'>) {
  if (secret) return '•••••';
  if (failed) return 'can’t be resolved';
  if (value === null) return 'null';
  return value === '' ? '(empty)' : cut ? `${value} …` : value;
}
