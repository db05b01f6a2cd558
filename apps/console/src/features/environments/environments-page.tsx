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
import { useMoment } from '../../data/use-moment.ts';
import button from '../../ui/button.module.css';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import styles from './environments-page.module.css';

/** Shows the tree of environments. */
export function EnvironmentsPage() {
  const { args, isNow } = useMoment();
  const { data: environments, error, refetch } = useQuery(environmentDetailsQuery(args));
  const { data: counts } = useQuery({ ...environmentCountsQuery, enabled: isNow });
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
      <Branch below={byParent(environments)} parentId={null} counts={isNow ? counts : undefined} />
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
  const known = new Set(environments.map(({ id }) => id));
  return Map.groupBy(environments, ({ parentId }) => (parentId !== null && known.has(parentId) ? parentId : null));
}

interface BranchProps {
  readonly below: ReadonlyMap<string | null, readonly DetailedEnvironment[]>;
  readonly parentId: string | null;
  readonly counts: ReadonlyMap<string, EnvironmentCount> | undefined;
}

/** Lists the children of an environment with their descendants. */
function Branch({ below, parentId, counts }: BranchProps) {
  const children = below.get(parentId);
  if (!children) return null;
  return (
    <ul className={styles.branch} aria-label={parentId === null ? 'Environments' : undefined}>
      {children.map((environment) => (
        <li key={environment.id}>
          <Line environment={environment} count={counts?.get(environment.id)} />
          <Branch below={below} parentId={environment.id} counts={counts} />
        </li>
      ))}
    </ul>
  );
}

interface LineProps {
  readonly environment: DetailedEnvironment;
  readonly count: EnvironmentCount | undefined;
}

function Line({ environment, count }: LineProps) {
  const { name, description, accessControlled, depth } = environment;
  return (
    <Link
      to="/environments/$environment"
      params={{ environment: name }}
      className={styles.line}
      style={{ '--depth': depth } as CSSProperties}
    >
      <span className={styles.name}>
        <UserText>{name}</UserText>
      </span>
      <span className={styles.description}>
        <UserText>{description}</UserText>
      </span>
      <span className={styles.facts}>
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
