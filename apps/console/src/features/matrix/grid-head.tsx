import { Link } from '@tanstack/react-router';
import { Layers } from 'lucide-react';
import { memo } from 'react';
import { UserText } from '../../ui/user-text.tsx';
import styles from './grid.module.css';
import type { ColumnOfGrid } from './grid-types.ts';

/** The maximum depth that has its own style. */
const DEPTH_MAX = 3;

export function GridHead({ columns, active }: { readonly columns: readonly ColumnOfGrid[]; readonly active: number }) {
  return (
    <div role="rowgroup" className={styles.head}>
      <div role="row" aria-rowindex={1} className={styles.headLine}>
        <div role="columnheader" aria-colindex={1} className={styles.corner}>
          Parameter
        </div>
        {columns.map(({ id, name, parentName, depth, at }) => (
          <div
            key={id}
            role="columnheader"
            aria-colindex={at + 2}
            className={styles.environment}
            data-depth={Math.min(depth, DEPTH_MAX)}
            data-active={at === active || undefined}
          >
            <EnvironmentName name={name} />
            <span className={styles.parent}>
              <UserText>{parentName === null ? 'root' : `inherits ${parentName}`}</UserText>
            </span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** Opens the environment. With keys, the menu of a cell does this. It is memoized, because the head is rendered with every move. */
const EnvironmentName = memo(function EnvironmentName({ name }: { readonly name: string }) {
  return (
    <Link
      to="/environments/$environment"
      params={{ environment: name }}
      tabIndex={-1}
      className={styles.environmentName}
    >
      <UserText>{name}</UserText>
    </Link>
  );
});

interface OthersHeadProps {
  readonly from: string;
  readonly count: number;
  readonly top: number;
}

/** The heading above inherited parameters. Each row names the project that owns it. */
export function InheritedHead({ from, count, top }: OthersHeadProps) {
  return (
    <div className={styles.others} style={{ transform: `translateY(${top}px)` }} aria-hidden>
      <span className={styles.othersName}>
        <Layers size={13} /> from {from}
        <span className={styles.count}>{count.toLocaleString()}</span>
      </span>
    </div>
  );
}
