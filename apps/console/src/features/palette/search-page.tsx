import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { environmentOf, type FoundParameter, foundQuery, SEARCHED_PLACES, TYPED_MAX } from '../../data/search.ts';
import { useMoment } from '../../data/use-moment.ts';
import button from '../../ui/button.module.css';
import { Empty } from '../../ui/empty.tsx';
import { Given } from '../../ui/given.tsx';
import page from '../../ui/page.module.css';
import { Trouble } from '../../ui/trouble.tsx';
import styles from './search-page.module.css';

const route = getRouteApi('/inside/search');

/** Parameters by their names, descriptions and texts, in all projects. */
export function SearchPage() {
  const { q, place } = route.useSearch();
  return (
    <div className={page.page}>
      <SearchForm key={`${q} ${place}`} />
      {q === undefined ? (
        <Empty title="Search parameters and values">
          <p>
            Names, descriptions and texts of all projects and environments that you may see are searched, whatever the
            letter case. Texts of secrets are not.
          </p>
        </Empty>
      ) : (
        <>
          <Found typed={q} />
          <p className={page.note}>
            <Link to="/history" search={{ q }} className={page.link}>
              Changes whose reason says “{q}”
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
          const chosen = SEARCHED_PLACES.find((one) => one === given.get('place'));
          void navigate({ search: { q: String(given.get('q')).trim() || undefined, place: chosen } });
        }}
      >
        <input
          name="q"
          type="search"
          aria-label="Search for"
          placeholder="A name, or a part of a text"
          required
          maxLength={TYPED_MAX}
          spellCheck={false}
          autoComplete="off"
          defaultValue={q}
        />
        <select name="place" aria-label="Search in" defaultValue={place ?? ''}>
          <option value="">in everything</option>
          {SEARCHED_PLACES.map((one) => (
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
  if (found.error) return <Trouble error={found.error} reset={() => void found.refetch()} />;
  if (!found.data) return <p role="status">Searching …</p>;
  const hits = found.data.pages.flatMap(({ results }) => results);
  const skipped = found.data.pages.reduce((sum, one) => sum + one.skipped, 0);
  return (
    <>
      <p role="status" className={page.note}>
        {countWords(hits.length, found.hasNextPage)}
        {skipped > 0 && ` ${skipped.toLocaleString()} texts could not be compared: they cannot be evaluated.`}
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
          {found.isFetchingNextPage ? 'Searching …' : 'Search on'}
        </button>
      )}
    </>
  );
}

function countWords(count: number, isMore: boolean): string {
  if (count === 0)
    return isMore ? 'Nothing was found so far.' : 'Nothing was found. Texts of secrets are not searched.';
  const parameters = count === 1 ? 'One parameter' : `${count.toLocaleString()} parameters`;
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
          <Given>{projectName}</Given>
        </span>{' '}
        <Given>{name}</Given>
      </Link>
      {secret && <Lock size={12} aria-label="secret" role="img" />}
      {description !== '' && (
        <span className={styles.description}>
          <Given>{description}</Given>
        </span>
      )}
      <ul className={styles.wins}>
        {wins.map(({ valueId, environments, matched, ...win }) => (
          <li key={valueId} data-matched={matched || undefined}>
            <code>
              <Given>{textOf(win)}</Given>
            </code>{' '}
            <span>
              <Given>{environments.map((one) => one.environmentName).join(', ')}</Given>
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
  if (failed) return 'cannot be evaluated';
  if (value === null) return 'null';
  return value === '' ? '(empty)' : cut ? `${value} …` : value;
}
