import { ChevronRight, Layers } from 'lucide-react';
import { memo } from 'react';
import { formatCount } from '../../lib/format-count.ts';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import styles from './grid.module.css';
import type { GroupLine } from './matrix-rows.ts';
import { RowCheck } from './row-check.tsx';

interface OthersHeadProps {
  readonly from: string;
  readonly count: number;
  readonly top: number;
}

/** The heading above inherited parameters. Each row names the project that owns it. */
export function InheritedHeading({ from, count, top }: OthersHeadProps) {
  return (
    <div className={styles.others} style={{ transform: `translateY(${top}px)` }} aria-hidden>
      <span className={styles.othersName}>
        <Layers size={13} /> from {from}
        <span className={styles.count}>{count.toLocaleString()}</span>
      </span>
    </div>
  );
}

interface GroupRowProps {
  readonly group: GroupLine;
  readonly top: number;
  readonly position: number;
  readonly columns: number;
  readonly isActive: boolean;
  /** The number of its rows that are selected. */
  readonly selected: number;
}

/** The line above the rows of a group. It has the focus as a whole. */
export const GroupRow = memo(function GroupRow({ group, top, position, columns, isActive, selected }: GroupRowProps) {
  const count = group.bottom - group.top + 1;
  return (
    <div
      role="row"
      tabIndex={isActive ? 0 : -1}
      aria-rowindex={position + 1}
      aria-level={1}
      aria-label={withVisibleCharacters(`${group.prefix}, ${formatCount(count, 'parameter')}`)}
      aria-expanded={!group.isCollapsed}
      data-row={group.top}
      data-group
      data-action="toggle"
      data-active={isActive || undefined}
      className={styles.group}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div role="rowheader" aria-colindex={1} aria-colspan={columns + 1} className={styles.groupName}>
        <RowCheck
          of={`the ${formatCount(count, 'row')} of ${group.prefix}`}
          selected={selected === count ? 'all' : selected > 0 ? 'some' : 'none'}
        />
        <ChevronRight size={14} aria-hidden className={styles.chevron} />
        <span className={styles.key}>
          <UserText>{group.prefix}</UserText>
        </span>
        <span className={styles.count}>{count.toLocaleString()}</span>
      </div>
    </div>
  );
});
