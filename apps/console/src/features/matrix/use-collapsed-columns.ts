import { useEffect, useMemo, useState } from 'react';
import { useCollapsedEnvironments } from '../../kit/scopes/use-collapsed-environments.ts';
import { type EnvironmentColumn, listDescendants, withoutCollapsed } from '../../lib/environment-tree.ts';
import { describeError } from '../../lib/request-error.ts';
import { expandColumn } from './column-layout.ts';
import type { MatrixSearch } from './matrix-search.ts';

/** The columns that are hidden because the user collapsed an environment above them. */
export interface CollapsedColumns {
  /** The environments that are columns unless the URL names others. */
  readonly defaults: readonly EnvironmentColumn[];
  /** The ids of the collapsed environments; null if no column can be collapsed. */
  readonly ids: ReadonlySet<string> | null;
  /** The reason why the last change was not stored. */
  readonly warning: string | null;
  set(environment: Pick<EnvironmentColumn, 'id' | 'name'>, isCollapsed: boolean): void;
}

interface ColumnContext {
  readonly environments: readonly EnvironmentColumn[];
  readonly search: MatrixSearch;
  readonly isNarrow: boolean;
  find(next: Partial<MatrixSearch>): void;
}

const NONE: ReadonlySet<string> = new Set();

export function useCollapsedColumns({ environments, search, isNarrow, find }: ColumnContext): CollapsedColumns {
  const { ids, error, set } = useCollapsedEnvironments();
  // The environment of an explained cell is shown, and stays visible after the explanation was closed.
  const [stored, setLinked] = useState(NONE);
  const collapsed = ids ?? NONE;
  const linked = useMemo(() => {
    const explained = environments.find(({ name }) => name === search.in);
    const isHidden = explained && !withoutCollapsed(environments, collapsed, stored).includes(explained);
    return isHidden ? new Set([...stored, explained.id]) : stored;
  }, [environments, collapsed, stored, search.in]);
  useEffect(() => setLinked(linked), [linked]);
  const defaults = useMemo(() => withoutCollapsed(environments, collapsed, linked), [environments, collapsed, linked]);
  return useMemo(
    () => ({
      defaults,
      ids: isNarrow ? null : ids,
      warning: error && describeError(error),
      set: ({ id, name }, isCollapsed) => {
        const descendants = listDescendants(environments, id);
        const names = new Set(descendants.map((environment) => environment.name));
        set(id, isCollapsed);
        if (!isCollapsed) {
          const otherIds = new Set([...collapsed].filter((collapsedId) => collapsedId !== id));
          const shown = withoutCollapsed(descendants, otherIds).map((environment) => environment.name);
          if (search.envs) find({ envs: expandColumn(name, shown, search.envs) });
          return;
        }
        const belowIds = new Set(descendants.map((environment) => environment.id));
        setLinked((old) => new Set([...old].filter((linkedId) => !belowIds.has(linkedId))));
        find({
          envs: search.envs?.filter((column) => !names.has(column)),
          ...(names.has(search.in ?? '') && { cell: undefined, in: undefined }),
        });
      },
    }),
    [defaults, ids, collapsed, error, environments, search.envs, search.in, isNarrow, find, set],
  );
}
