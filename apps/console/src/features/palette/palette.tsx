import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { environmentsQuery } from '../../data/environments.ts';
import { projectsQuery } from '../../data/projects.ts';
import {
  createNameTest,
  FIRST_FOUND,
  firstChangesetsQuery,
  firstNamedQuery,
  SEARCH_TEXT_LENGTH_MAX,
  useSearchResults,
} from '../../data/search.ts';
import { viewerQuery } from '../../data/session.ts';
import { usePointInTime } from '../../data/use-point-in-time.ts';
import { KeysDialog } from '../../kit/keys-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { UserText } from '../../ui/user-text.tsx';
import styles from './palette.module.css';
import type { PaletteCommand } from './palette-destinations.ts';
import { listGroups, type PaletteGroup, type PaletteTarget } from './palette-groups.ts';
import { TimeTravel } from './time-travel.tsx';

/** The delay between typing and a search on the server. */
const SETTLED_MS = 150;
/** The minimum length of a text that is searched on the server. */
const SEARCHED_MIN = 2;

interface PaletteProps {
  onClose(): void;
}

/** The command palette, which finds pages, projects, environments, parameters, values, revisions and commands. */
export function Palette({ onClose }: PaletteProps) {
  const [command, setCommand] = useState<PaletteCommand | null>(null);
  switch (command) {
    case 'keys':
      return <KeysDialog onClose={onClose} />;
    case 'time':
      return <TimeTravel onClose={onClose} />;
    case null:
      return <Choice onClose={onClose} onCommand={setCommand} />;
  }
}

function Choice({ onClose, onCommand }: PaletteProps & { onCommand(command: PaletteCommand): void }) {
  const router = useRouter();
  const [searchText, setSearchText] = useState('');
  const [chosenIndex, setChosenIndex] = useState(0);
  const { groups, note } = useGroups(searchText.trim());
  const targets = groups.flatMap((group) => group.targets);
  const active = Math.min(chosenIndex, targets.length - 1);
  const listId = useId();
  const open = (target: PaletteTarget | undefined) => {
    if (!target) return;
    if (typeof target.goal === 'string') return onCommand(target.goal);
    onClose();
    void router.navigate(target.goal);
  };
  const onKey = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && targets.length > 0) {
      event.preventDefault();
      setChosenIndex((active + step + targets.length) % targets.length);
    } else if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      event.preventDefault();
      open(targets[active]);
    }
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <form className={styles.palette} onSubmit={(event) => event.preventDefault()}>
        <input
          className={styles.typed}
          role="combobox"
          aria-label="Search for a page, project, environment, parameter, value or revision"
          aria-expanded="true"
          aria-controls={listId}
          aria-activedescendant={targets[active] ? `${listId}-${active}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          maxLength={SEARCH_TEXT_LENGTH_MAX}
          placeholder="A page, project, environment, parameter, value or revision"
          value={searchText}
          onChange={({ target }) => {
            setSearchText(target.value);
            setChosenIndex(0);
          }}
          onKeyDown={onKey}
        />
        <div id={listId} role="listbox" aria-label="Results" className={styles.list}>
          {groups.map((group) => (
            <Group key={group.title} group={group} {...{ targets, active, listId, open }} />
          ))}
        </div>
        <p role="status" className={styles.note}>
          {note ?? (targets.length === 0 && `No results for “${searchText.trim()}”. Secret values are not searched.`)}
        </p>
      </form>
    </Dialog>
  );
}

interface GroupProps {
  readonly group: PaletteGroup;
  readonly targets: readonly PaletteTarget[];
  readonly active: number;
  readonly listId: string;
  open(target: PaletteTarget): void;
}

function Group({ group, targets, active, listId, open }: GroupProps) {
  const titleId = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group of options, which no element is
    <div role="group" aria-labelledby={titleId}>
      <p id={titleId} className={styles.group}>
        {group.title}
      </p>
      {group.targets.map((target) => {
        const at = targets.indexOf(target);
        return (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the input above has the focus and the keys
          <div
            key={target.key}
            ref={at === active ? (element) => element?.scrollIntoView({ block: 'nearest' }) : null}
            id={`${listId}-${at}`}
            role="option"
            aria-selected={at === active}
            className={styles.target}
            onClick={() => open(target)}
          >
            <span className={styles.title}>
              <UserText>{target.title}</UserText>
            </span>
            {target.detail !== undefined && (
              <span className={styles.detail}>
                <UserText>{target.detail}</UserText>
              </span>
            )}
          </div>
        );
      })}
    </div>
  );
}

interface FoundGroups {
  readonly groups: readonly PaletteGroup[];
  /** The state of a running or failed search; null if the search is complete. */
  readonly note: string | null;
}

/**
 * Searches loaded data immediately, and the server after a pause in typing: parameters and changesets first, then values if there is room
 * for more results.
 */
function useGroups(searchText: string): FoundGroups {
  const { args } = usePointInTime();
  const { name: currentName } = useParams({ strict: false });
  const { data: viewer } = useQuery(viewerQuery);
  const { data: projects = [] } = useQuery(projectsQuery(args));
  const { data: environments = [] } = useQuery(environmentsQuery(args));
  const settledText = useSettled(searchText, SETTLED_MS, searchText);
  const isSearched = searchText.length >= SEARCHED_MIN;
  const isSettled = isSearched && settledText !== null;
  const nameResults = useQuery({
    ...firstNamedQuery(settledText ?? searchText, args),
    enabled: isSettled,
    placeholderData: keepPreviousData,
  });
  const isNamed = createNameTest(searchText);
  const valueResults = useSearchResults({
    typed: searchText,
    fields: ['value'],
    pointInTime: args,
    isEnabled:
      isSettled && nameResults.isSuccess && !nameResults.isPlaceholderData && nameResults.data.length < FIRST_FOUND,
    isShown: (hit) => !isNamed(hit),
    needed: FIRST_FOUND,
  });
  const changesets = useQuery({
    ...firstChangesetsQuery(settledText ?? searchText),
    enabled: isSettled,
    placeholderData: keepPreviousData,
  });
  const groups = listGroups({
    typed: searchText,
    abilities: viewer?.abilities.abilities ?? [],
    here: currentName,
    projects,
    environments,
    named: isSearched ? (nameResults.data ?? []) : [],
    valued: valueResults.hits.slice(0, FIRST_FOUND),
    changesets: isSearched ? (changesets.data ?? []) : [],
  });
  if (!isSearched) return { groups, note: null };
  const error = nameResults.error ?? valueResults.error ?? changesets.error;
  if (error) return { groups, note: error.message };
  if (!isSettled || nameResults.isFetching || changesets.isFetching) return { groups, note: 'Searching …' };
  return { groups, note: valueResults.isSearching ? 'Searching values …' : null };
}
