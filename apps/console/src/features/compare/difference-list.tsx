import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type ComparisonPage,
  type ComparisonRequest,
  comparisonQuery,
  isMissingObjectError,
  readAll,
} from '../../data/compare.ts';
import { viewerQuery } from '../../data/session.ts';
import { mayWrite } from '../../data/write-access.ts';
import { CopyAs } from '../../kit/copy-as/copy-as.tsx';
import { type ComparedSides, describeSide } from '../../lib/compare-sides.ts';
import type { EnvironmentColumn } from '../../lib/environment-tree.ts';
import type { ListedProject } from '../../lib/project-forest.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { ListStatus } from '../../ui/list-status.tsx';
import page from '../../ui/page.module.css';
import { nextCursor, Pages } from '../../ui/pages.tsx';
import { UserText } from '../../ui/user-text.tsx';
import styles from './difference-list.module.css';
import { DifferenceTable } from './difference-table.tsx';
import { Promote } from './promote.tsx';
import { findPromotable, type Promotable } from './promotion.ts';

const route = getRouteApi('/inside/compare');

interface DifferenceListProps {
  readonly project: ListedProject;
  readonly sides: ComparedSides;
  readonly question: ComparisonRequest;
  readonly after: string | null;
  readonly environments: readonly EnvironmentColumn[];
}

interface Promotion {
  readonly chosen: readonly Promotable[];
  readonly leftRevision: number | null;
}

/** Lists the differences of a project in pages. The user selects the ones to promote. */
export function DifferenceList({ project, sides, question, after, environments }: DifferenceListProps) {
  const { step } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(comparisonQuery(question, after));
  const { data: viewer } = useQuery(viewerQuery);
  const mayWriteIn = (environmentId: string) => mayWrite(viewer, { projectId: project.id, environmentId });
  const { chosen, choose, promotion, reading, promote, chooseAll } = usePromotion(question, mayWriteIn);
  if (isMissingObjectError(query.error)) {
    return (
      <p className={page.note} role="alert">
        <UserText>{project.name}</UserText>, or an environment, did not exist at one of these times. Choose other times.
      </p>
    );
  }
  if (query.error) return <ErrorMessage error={query.error} reset={() => void query.refetch()} />;
  if (!query.data) return <p className={page.note}>Loading …</p>;
  const { totalCount, pageInfo } = query.data;
  const titles = { left: describeSide(sides.left, sides.right), right: describeSide(sides.right, sides.left) };
  // Leaving the preview returns to the list with the same selection.
  if (promotion && step === 'promote') {
    return (
      <Promote
        project={project}
        chosen={promotion.chosen}
        leftRevision={promotion.leftRevision}
        titles={titles}
        onLeave={() =>
          void navigate({ search: (previousSearch) => ({ ...previousSearch, step: undefined }), replace: true })
        }
      />
    );
  }
  const promotable = findPromotable(query.data, mayWriteIn);
  const isBusy = reading === 'busy';
  return (
    <div className={styles.found} aria-busy={query.isPlaceholderData || isBusy}>
      <div className={page.head}>
        <DifferenceCount project={project} count={totalCount} isOld={query.isPlaceholderData} />
        <CopyAs of={{ kind: 'comparison', project, question }} />
      </div>
      {totalCount > 0 && (
        <>
          <p className={page.note}>{promotionNote(query.data, promotable.size)}</p>
          <DifferenceTable
            differences={query.data}
            {...{ titles, environments, promotable, chosen }}
            onChosen={choose}
          />
          <Pages here={after ?? undefined} next={nextCursor(pageInfo)} />
        </>
      )}
      {promotable.size > 0 && (
        <PromoteBar
          count={chosen.size}
          isBusy={isBusy}
          hasPages={pageInfo.hasNextPage || after !== null}
          onPromote={() => void promote()}
          onAll={() => void chooseAll()}
          onNone={() => choose(new Set())}
        />
      )}
      {typeof reading === 'object' && <ActionError error={reading.error} />}
    </div>
  );
}

interface DifferenceCountProps {
  readonly project: ListedProject;
  readonly count: number;
  /** Whether the number is that of an earlier comparison. */
  readonly isOld: boolean;
}

function DifferenceCount({ project, count, isOld }: DifferenceCountProps) {
  return (
    <ListStatus isOld={isOld} busy="Comparing …">
      {count === 0 ? (
        <>
          <UserText>{project.name}</UserText> is the same on both sides.
        </>
      ) : (
        `${count.toLocaleString()} ${count === 1 ? 'parameter differs' : 'parameters differ'}`
      )}
    </ListStatus>
  );
}

/** Holds the selected differences and the promotion. Both include rows of other pages, so they read all differences. */
function usePromotion(question: ComparisonRequest, mayWriteIn: (environmentId: string) => boolean) {
  const navigate = route.useNavigate();
  const [chosenKeys, setChosenKeys] = useState<ReadonlySet<string>>(new Set());
  const [promotion, setPromotion] = useState<Promotion | null>(null);
  const { reading, read } = useReadingAll(question);
  const chooseAll = async () => {
    const allDifferences = await read();
    if (allDifferences) setChosenKeys(new Set(findPromotable(allDifferences, mayWriteIn).keys()));
  };
  // The rows on the page may be outdated. The plan needs the current values and versions.
  const promote = async () => {
    const allDifferences = await read();
    if (!allDifferences) return;
    const selectedDifferences = [...findPromotable(allDifferences, mayWriteIn)].filter(([key]) => chosenKeys.has(key));
    setChosenKeys(new Set(selectedDifferences.map(([key]) => key)));
    if (selectedDifferences.length === 0) return;
    setPromotion({
      chosen: selectedDifferences.map(([, promotable]) => promotable),
      leftRevision: allDifferences.left?.revision ?? null,
    });
    await navigate({ search: (previousSearch) => ({ ...previousSearch, step: 'promote' }) });
  };
  return { chosen: chosenKeys, choose: setChosenKeys, promotion, reading, promote, chooseAll };
}

/** Reads the differences of all pages. */
function useReadingAll(question: ComparisonRequest) {
  const [readState, setReadState] = useState<'idle' | 'busy' | { readonly error: unknown }>('idle');
  const read = async (): Promise<ComparisonPage | null> => {
    setReadState('busy');
    try {
      const allDifferences = await readAll(question);
      setReadState('idle');
      return allDifferences;
    } catch (error) {
      setReadState({ error });
      return null;
    }
  };
  return { reading: readState, read };
}

interface PromoteBarProps {
  /** The number of selected values. */
  readonly count: number;
  readonly isBusy: boolean;
  readonly hasPages: boolean;
  onPromote(): void;
  onAll(): void;
  onNone(): void;
}

function PromoteBar({ count, isBusy, hasPages, onPromote, onAll, onNone }: PromoteBarProps) {
  return (
    <section className={styles.bar} aria-label="Promote">
      <button type="button" className={button.main} disabled={count === 0 || isBusy} onClick={onPromote}>
        {isBusy ? 'Loading …' : formatPromoteLabel(count)}
      </button>
      {hasPages && (
        <button type="button" className={button.plain} disabled={isBusy} onClick={onAll}>
          Select everything on all pages
        </button>
      )}
      {count > 0 && (
        <button type="button" className={button.quiet} onClick={onNone}>
          Select nothing
        </button>
      )}
    </section>
  );
}

const formatPromoteLabel = (count: number): string =>
  count === 0 ? 'Promote' : `Promote ${count.toLocaleString()} ${count === 1 ? 'value' : 'values'} …`;

function promotionNote({ right, edges }: ComparisonPage, promotable: number): string {
  if (right?.revision !== null)
    return 'The right side is in the past and can’t be changed. Swap the sides to restore values.';
  if (promotable > 0) return 'Select values to copy to the right side. You review the changes first.';
  const isPossible = edges.some(({ node }) =>
    node.cells.some(({ toSet }) => toSet && toSet.action !== 'nothing' && toSet.action !== 'impossible'),
  );
  if (isPossible) return 'You need write access to the environment on the right to copy values to it.';
  return 'None of these values can be copied as they are. Each row says why.';
}
