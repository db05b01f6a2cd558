import { literalTest } from '@strata/domain';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import {
  createNameTest,
  environmentOf,
  FOUND_PER_PAGE,
  type FoundParameter,
  NAME_FIELDS,
  resultKey,
  SEARCH_TEXT_LENGTH_MAX,
  SEARCHABLE_FIELDS,
  type SearchProgress,
  useSearchResults,
} from '../../data/search.ts';
import { usePointInTime } from '../../data/use-point-in-time.ts';
import { CopyValue } from '../../kit/copy-value/copy-value.tsx';
import button from '../../ui/button.module.css';
import { Empty } from '../../ui/empty.tsx';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { WhenVisible } from '../../ui/when-visible.tsx';
import styles from './search-page.module.css';

const route = getRouteApi('/inside/search');

/** Searches the names, descriptions and values of parameters in all projects. */
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
          <Found key={`${q} ${place}`} typed={q} />
          <p className={page.note}>
            <Link to="/history" search={{ q }} className={page.link}>
              Search history for “{q}”
            </Link>
          </p>
        </>
      )}
    </div>
  );
}

const PLACE_WORDS = { name: 'names', value: 'values', description: 'descriptions' } as const;

function SearchForm() {
  const { q, place } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <search>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          const form = new FormData(event.currentTarget);
          const chosenField = SEARCHABLE_FIELDS.find((field) => field === form.get('place'));
          void navigate({ search: { q: String(form.get('q')).trim() || undefined, place: chosenField } });
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
          {SEARCHABLE_FIELDS.map((field) => (
            <option key={field} value={field}>
              in {PLACE_WORDS[field]}
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

/** Lists the parameters with a matching name or description first, and those with a matching value below them. */
function Found({ typed }: { readonly typed: string }) {
  const { place } = route.useSearch();
  const { args: pointInTime } = usePointInTime();
  const [neededCount, setNeededCount] = useState(FOUND_PER_PAGE);
  const isOfNames = place !== 'value';
  const isOfValues = place === undefined || place === 'value';
  const isNamed = createNameTest(typed);
  const nameResults = useSearchResults({
    typed,
    pointInTime,
    fields: place === undefined ? NAME_FIELDS : [place],
    isEnabled: isOfNames,
    needed: neededCount,
  });
  const isPastNames = !isOfNames || nameResults.isComplete;
  const valueResults = useSearchResults({
    typed,
    pointInTime,
    fields: ['value'],
    isEnabled: isOfValues,
    isShown: (hit) => !isOfNames || !isNamed(hit),
    // Values are listed below the names, so they are not needed before all names are listed.
    needed: isPastNames ? neededCount - nameResults.hits.length : 0,
  });
  const parts = [...(isOfNames ? [nameResults] : []), ...(isOfValues && isPastNames ? [valueResults] : [])];
  const hits = parts.flatMap((part) => part.hits);
  const failedPart = parts.find(({ error }) => error !== null);
  return (
    <>
      <Progress count={hits.length} parts={parts} isComplete={isPastNames && parts.every((part) => part.isComplete)} />
      <ul className={styles.list}>
        {hits.map((hit) => (
          <Hit key={resultKey(hit)} hit={hit} typed={typed} />
        ))}
      </ul>
      {failedPart?.error && <ErrorMessage error={failedPart.error} reset={failedPart.retry} />}
      {hits.length >= neededCount && (
        <WhenVisible key={neededCount} onVisible={() => setNeededCount(neededCount + FOUND_PER_PAGE)} />
      )}
    </>
  );
}

interface ProgressProps {
  readonly count: number;
  readonly parts: readonly SearchProgress[];
  readonly isComplete: boolean;
}

/** Shows the number of results, and what is still being searched. Only the number is announced to screen readers. */
function Progress({ count, parts, isComplete }: ProgressProps) {
  const searchingPart = parts.find(({ isSearching }) => isSearching);
  const skippedCount = parts.reduce((sum, part) => sum + part.skipped, 0);
  const progress = searchingPart?.progress;
  return (
    <p className={page.note}>
      <span role="status">
        {formatCount(count, isComplete)}
        {skippedCount > 0 &&
          ` ${skippedCount.toLocaleString()} values could not be searched because they cannot be resolved.`}
      </span>{' '}
      {searchingPart &&
        progress &&
        `Searched ${progress.checked.toLocaleString()} of ${progress.all.toLocaleString()}.`}
    </p>
  );
}

function formatCount(count: number, isComplete: boolean): string {
  if (count === 0) return isComplete ? 'No results. Secret values are not searched.' : 'Searching …';
  const parameters = count === 1 ? '1 parameter' : `${count.toLocaleString()} parameters`;
  return isComplete ? `${parameters}.` : `${parameters} so far.`;
}

function Hit({ hit, typed }: { readonly hit: FoundParameter; readonly typed: string }) {
  const matches = literalTest('contains', typed, true);
  const { name, projectName, description, secret, wins, winsLeftOut } = hit;
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
        {wins.map(({ valueId, environments, matched: _, ...win }) => (
          <li key={valueId} data-matched={(!win.secret && win.value !== null && matches(win.value)) || undefined}>
            <CopyValue
              text={win.secret || win.cut ? null : win.value}
              of={`${name} in ${environments[0]?.environmentName ?? ''}`}
            >
              <code>
                <UserText>{describeWinningValue(win)}</UserText>
              </code>
            </CopyValue>{' '}
            <span className={styles.environments}>
              <UserText>{environments.map((environment) => environment.environmentName).join(', ')}</UserText>
            </span>
          </li>
        ))}
        {winsLeftOut > 0 && (
          <li>{winsLeftOut === 1 ? 'and 1 other value' : `and ${winsLeftOut.toLocaleString()} other values`}</li>
        )}
      </ul>
    </li>
  );
}

function describeWinningValue({
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
