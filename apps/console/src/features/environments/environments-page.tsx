import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Lock, Plus, Tag } from 'lucide-react';
import type { CSSProperties } from 'react';
import { useAbility } from '../../data/abilities.ts';
import {
  type DetailedEnvironment,
  type EnvironmentCount,
  environmentCountsQuery,
  environmentDetailsQuery,
} from '../../data/environments.ts';
import { usePointInTime } from '../../data/use-point-in-time.ts';
import { CollapseButton } from '../../kit/scopes/collapse-button.tsx';
import { type CollapsedEnvironments, useCollapsedEnvironments } from '../../kit/scopes/use-collapsed-environments.ts';
import { countDescendants } from '../../lib/environment-tree.ts';
import { formatCount } from '../../lib/format-count.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import styles from './environments-page.module.css';

/** Shows the tree of environments. */
export function EnvironmentsPage() {
  const { args, isNow } = usePointInTime();
  const { data: environments, error, refetch } = useQuery(environmentDetailsQuery(args));
  const { data: counts } = useQuery({ ...environmentCountsQuery, enabled: isNow });
  const collapsedIds = useCollapsedEnvironments();
  const mayWrite = useAbility('write_content');
  if (error) return <ErrorMessage error={error} reset={() => void refetch()} />;
  if (!environments) return <p className={page.page}>Loading …</p>;
  const root = environments.find(({ parentId }) => parentId === null)?.name;
  const isAlone = environments.length < 2;
  return (
    <div className={page.page}>
      <div className={page.head}>
        <p className={page.note}>
          Programs run in an environment. It inherits every value that it does not set from its parent.
          {!isNow && ' Go back to now to see tags and the numbers of values.'}
        </p>
        {mayWrite && isNow && root !== undefined && (
          <Link
            to="/environments/$environment"
            params={{ environment: root }}
            search={{ do: 'create' }}
            className={button.main}
          >
            <Plus size={15} aria-hidden /> Create environment
          </Link>
        )}
      </div>
      <Branch
        collapsed={collapsedIds}
        below={byParent(environments)}
        descendantCounts={countDescendants(environments)}
        parentId={null}
        counts={isNow ? counts : undefined}
      />
      {collapsedIds.error && <ActionError error={collapsedIds.error} />}
      {isAlone && isNow && (
        <p className={page.note}>
          There is only <UserText>{root}</UserText> so far. Create one for each stage, such as production and staging.
          Set shared values once, in <UserText>{root}</UserText>.
        </p>
      )}
    </div>
  );
}

/** Groups environments by the id of their parent; the key of roots is null. */
function byParent(environments: readonly DetailedEnvironment[]): BranchProps['below'] {
  const ids = new Set(environments.map(({ id }) => id));
  return Map.groupBy(environments, ({ parentId }) => (parentId !== null && ids.has(parentId) ? parentId : null));
}

interface BranchProps {
  readonly collapsed: CollapsedEnvironments;
  /** The children by the id of their parent. */
  readonly below: ReadonlyMap<string | null, readonly DetailedEnvironment[]>;
  readonly descendantCounts: ReadonlyMap<string, number>;
  readonly parentId: string | null;
  readonly counts: ReadonlyMap<string, EnvironmentCount> | undefined;
}

/** Lists the children of an environment with their descendants, except those below a collapsed environment. */
function Branch({ parentId, ...props }: BranchProps) {
  const { collapsed, below, descendantCounts, counts } = props;
  const children = below.get(parentId);
  if (!children) return null;
  return (
    <ul className={styles.branch} aria-label={parentId === null ? 'Environments' : undefined}>
      {children.map((environment) => {
        const { id, name, depth } = environment;
        const descendantCount = descendantCounts.get(id) ?? 0;
        const isCollapsed = descendantCount > 0 && (collapsed.ids?.has(id) ?? false);
        return (
          <li key={id}>
            <div className={styles.item} style={{ '--depth': depth } as CSSProperties}>
              {descendantCount > 0 && collapsed.ids && (
                <CollapseButton
                  {...{ name, isCollapsed }}
                  below={descendantCount}
                  className={styles.collapse}
                  onCollapse={(isHidden) => collapsed.set(id, isHidden)}
                />
              )}
              <Line environment={environment} hidden={isCollapsed ? descendantCount : 0} count={counts?.get(id)} />
            </div>
            {!isCollapsed && <Branch {...props} parentId={id} />}
          </li>
        );
      })}
    </ul>
  );
}

interface LineProps {
  readonly environment: DetailedEnvironment;
  readonly count: EnvironmentCount | undefined;
  /** The number of hidden environments below it. */
  readonly hidden: number;
}

function Line({ environment, count, hidden }: LineProps) {
  const { name, description, accessControlled } = environment;
  return (
    <Link to="/environments/$environment" params={{ environment: name }} className={styles.line}>
      <span className={styles.name}>
        <UserText>{name}</UserText>
      </span>
      <span className={styles.description}>
        <UserText>{description}</UserText>
      </span>
      <span className={styles.facts}>
        {hidden > 0 && <span className={styles.faint}>{formatCount(hidden, 'environment')} hidden</span>}
        {accessControlled && (
          <span className={page.badge}>
            <Lock size={11} aria-hidden /> restricted
          </span>
        )}
        {count && count.latestTag !== null && (
          <span className={styles.tag}>
            <Tag size={12} role="img" aria-label="latest tag" /> <UserText>{count.latestTag}</UserText>
            {count.tagCount > 1 && <span className={styles.faint}> and {count.tagCount - 1} more</span>}
          </span>
        )}
        {count && (
          <span className={styles.values}>
            {count.valueCount.toLocaleString()} <span className={styles.faint}>set here</span>
          </span>
        )}
      </span>
    </Link>
  );
}
