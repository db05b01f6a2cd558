import type { EnvironmentColumn } from '../environments/environment-tree.ts';
import { originOf } from './cell-of.ts';
import { inGroups, type LineGroup, type ValueLine } from './line-groups.ts';
import { ValueCell } from './value-cell.tsx';
import styles from './values-table.module.css';

interface ValuesTableProps {
  readonly lines: readonly ValueLine[];
  readonly environments: readonly EnvironmentColumn[];
  readonly projectId: string;
  /** The environment that alone is shown where there is no room for more. */
  readonly shownId: string | undefined;
}

export function ValuesTable({ lines, environments, projectId, shownId }: ValuesTableProps) {
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <caption className="heard">Parameters, and the value that applies in each environment</caption>
        <thead>
          <tr>
            <th scope="col">Parameter</th>
            {environments.map(({ id, name, parentName }) => (
              <th key={id} scope="col" data-shown={id === shownId}>
                {name}
                <small>{parentName === null ? 'root' : `inherits ${parentName}`}</small>
              </th>
            ))}
          </tr>
        </thead>
        {inGroups(lines, projectId).map((group) => (
          <Group key={group.projectId} group={group} {...{ environments, projectId, shownId }} />
        ))}
      </table>
    </div>
  );
}

interface GroupProps extends Omit<ValuesTableProps, 'lines'> {
  readonly group: LineGroup;
}

function Group({ group, environments, projectId, shownId }: GroupProps) {
  return (
    <tbody>
      {group.projectId !== projectId && (
        <tr className={styles.owner}>
          <th scope="rowgroup" colSpan={environments.length + 1}>
            from <strong>{group.projectName}</strong>
          </th>
        </tr>
      )}
      {group.lines.map(({ parameter, cells }) => (
        <tr key={parameter.id}>
          <Name parameter={parameter} />
          {environments.map(({ id, parentId }, at) => {
            const cell = cells[at] ?? null;
            const origin = originOf(cell, { projectId, environmentId: id, isRoot: parentId === null });
            return <ValueCell key={id} cell={cell} origin={origin} isShown={id === shownId} />;
          })}
        </tr>
      ))}
    </tbody>
  );
}

function Name({ parameter }: Pick<ValueLine, 'parameter'>) {
  const { name, type, description } = parameter;
  return (
    <th scope="row" title={description || undefined}>
      <span className={styles.name}>{name}</span>
      {type !== 'string' && <small className={styles.type}>{type}</small>}
    </th>
  );
}
