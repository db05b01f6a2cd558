import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type ListedPushKey, pushKeysQuery, type SyncId } from '../../data/integrations.ts';
import { formatCount } from '../../lib/format-count.ts';
import { KEY_STATES } from '../../lib/push-keys.ts';
import button from '../../ui/button.module.css';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { type ListColumn, ListTable } from '../../ui/list-table.tsx';
import objects from '../../ui/objects.module.css';
import page from '../../ui/page.module.css';
import { nextCursor, Pages } from '../../ui/pages.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { When } from '../../ui/when.tsx';
import { decisionLabel, describeKey, keyStateIn } from './integration-words.ts';
import { type Decisions, withDecision, withoutOutdated } from './push-decisions.ts';

const route = getRouteApi('/inside/integrations/$provider/$integration/pushes/$push');

/** The value of the filter that selects the keys of the plan. */
const IN_PLAN = 'plan';

interface PushKeysProps {
  readonly sync: SyncId;
  readonly decisions: Decisions;
  decide(decisions: Decisions): void;
  /** Runs the push with the decisions; absent if the user may not. */
  run?(): void;
  readonly isBusy?: boolean;
}

/** Lists the keys of a push with their states, and collects decisions about them. */
export function PushKeys({ sync, decisions, decide, run, isBusy = false }: PushKeysProps) {
  const { keys: filter, after } = route.useSearch();
  const navigate = route.useNavigate();
  const state = keyStateIn(filter);
  const isInPlan = filter === IN_PLAN;
  const filters = { after: after ?? null, state: state ?? null, pending: isInPlan || null };
  const { data, error, refetch, isPlaceholderData } = useQuery(pushKeysQuery(sync, filters));
  const outdated = useOutdated(data?.edges, decisions, decide);
  if (error) return <ErrorMessage error={error} reset={() => void refetch()} />;
  const rows = data?.edges.map(({ node }) => ({ ...node, id: node.key }));
  return (
    <section className={page.part} aria-labelledby="keys" aria-busy={isPlaceholderData}>
      <div className={page.head}>
        <h2 id="keys">
          Keys {data && !isPlaceholderData && <span className={objects.faint}>{data.totalCount.toLocaleString()}</span>}
        </h2>
        <select
          aria-label="State"
          value={state ?? (isInPlan ? IN_PLAN : '')}
          onChange={({ target }) =>
            void navigate({ search: (search) => ({ ...search, keys: target.value || undefined, after: undefined }) })
          }
        >
          <option value="">All states</option>
          <option value={IN_PLAN}>Changes and open decisions</option>
          {Object.entries(KEY_STATES).map(([name, { label }]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {!rows && <p className={page.note}>Loading …</p>}
      {rows?.length === 0 && !isPlaceholderData && (
        <p className={page.note}>
          {filter === undefined ? 'No keys yet. A plan or a run lists them.' : 'No keys in this state.'}
        </p>
      )}
      {rows && rows.length > 0 && (
        <ListTable
          rows={rows}
          columns={columnsFor({ decisions, outdated, decide: run && decide })}
          nameOf={({ key }) => key}
        />
      )}
      {decisions.size > 0 && run && (
        <div className={objects.waiting} role="status">
          <p>
            {formatCount(decisions.size, 'decision')}. Each applies to the version of the key that you see, in one run.
          </p>
          <div className={page.buttons}>
            <button type="button" className={button.main} disabled={isBusy} onClick={run}>
              Run with {formatCount(decisions.size, 'decision')}
            </button>
            <button type="button" className={button.quiet} onClick={() => decide(new Map())}>
              Discard
            </button>
          </div>
        </div>
      )}
      {data && <Pages here={after} next={nextCursor(data.pageInfo)} />}
    </section>
  );
}

/** Discards decisions about versions of keys that no longer exist. Returns these keys. */
function useOutdated(
  edges: readonly { readonly node: ListedPushKey }[] | undefined,
  decisions: Decisions,
  decide: PushKeysProps['decide'],
): ReadonlySet<string> {
  const [outdated, setOutdated] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const current = withoutOutdated(
      decisions,
      (edges ?? []).map(({ node }) => node),
    );
    if (current === decisions) return;
    setOutdated((earlier) => new Set([...earlier, ...[...decisions.keys()].filter((key) => !current.has(key))]));
    decide(current);
  }, [edges, decisions, decide]);
  return outdated;
}

type Row = ListedPushKey & { readonly id: string };

interface DecisionColumn {
  readonly decisions: Decisions;
  /** Keys that have changed since the user decided about them. */
  readonly outdated: ReadonlySet<string>;
  readonly decide: PushKeysProps['decide'] | undefined;
}

function columnsFor({ decisions, outdated, decide }: DecisionColumn): readonly ListColumn<Row>[] {
  const decision: ListColumn<Row> = {
    title: 'Decision',
    cell: (row) => decide && <DecisionChoice row={row} decisions={decisions} outdated={outdated} decide={decide} />,
  };
  return [{ title: 'Key', cell: KeyName }, { title: 'State', cell: KeyState }, ...(decide ? [decision] : [])];
}

function KeyName({ key, projectName, environmentName, parameterName }: Row) {
  const origin = [projectName, environmentName, parameterName].filter((name) => name !== null);
  return (
    <>
      <code>
        <UserText>{key}</UserText>
      </code>
      {origin.length > 0 && (
        <div className={page.under}>
          <UserText>{origin.join(' · ')}</UserText>
        </div>
      )}
    </>
  );
}

function KeyState(row: Row) {
  const { state, changedAt, writtenAt, nextAttemptAt } = row;
  const { label, about, isBad } = KEY_STATES[state];
  return (
    <>
      <span className={page.badge} data-danger={isBad} title={about}>
        {label}
      </span>{' '}
      <span className={isBad ? objects.bad : undefined}>
        <UserText>{describeKey(row)}</UserText>
      </span>
      <div className={page.under}>
        Since <When at={changedAt} />
        {writtenAt !== null && (
          <>
            , written <When at={writtenAt} />
          </>
        )}
        {nextAttemptAt !== null && (
          <>
            , next attempt <When at={nextAttemptAt} as="upcoming" />
          </>
        )}
      </div>
    </>
  );
}

interface DecisionChoiceProps extends Pick<DecisionColumn, 'decisions' | 'outdated'> {
  readonly row: Row;
  decide(decisions: Decisions): void;
}

function DecisionChoice({ row, decisions, outdated, decide }: DecisionChoiceProps) {
  if (row.decisions.length === 0) return null;
  const decided = decisions.get(row.key);
  return (
    <>
      <select
        aria-label={withVisibleCharacters(`Decision about ${row.key}`)}
        value={decided?.action ?? ''}
        onChange={({ target }) =>
          decide(withDecision(decisions, row, row.decisions.find((action) => action === target.value) ?? null))
        }
      >
        <option value="">None</option>
        {row.decisions.map((action) => (
          <option key={action} value={action}>
            {decisionLabel(action, row)}
          </option>
        ))}
      </select>
      {decided === undefined && outdated.has(row.key) && (
        <p className={objects.bad}>The key has changed. Decide again.</p>
      )}
    </>
  );
}
