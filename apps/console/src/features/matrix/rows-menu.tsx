import button from '../../ui/button.module.css';
import styles from './columns-menu.module.css';
import type { ColumnsMenuProps } from './columns-menu.tsx';

/** Renders whether the rows are grouped by the prefixes of their names. */
export function RowsMenu({ search, groups, onSearch }: Pick<ColumnsMenuProps, 'search' | 'groups' | 'onSearch'>) {
  const isGrouped = search.group !== undefined;
  const isByValue = search.sort !== undefined;
  return (
    <fieldset className={styles.rows}>
      <legend className="heard">Rows</legend>
      <label>
        <input
          type="checkbox"
          checked={isGrouped && !isByValue}
          disabled={isByValue}
          onChange={() => onSearch({ group: isGrouped ? undefined : 'prefix' })}
        />
        Group by prefix
      </label>
      {isByValue && <p className={styles.hint}>Groups need the order by name. Sort by name to group the rows.</p>}
      {isGrouped && !isByValue && (
        <div className={styles.all}>
          <button type="button" className={button.plain} onClick={() => groups.setAll(true)}>
            Collapse all
          </button>
          <button type="button" className={button.plain} onClick={() => groups.setAll(false)}>
            Expand all
          </button>
        </div>
      )}
    </fieldset>
  );
}
