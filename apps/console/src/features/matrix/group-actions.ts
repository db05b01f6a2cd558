import type { GroupLine } from './matrix-rows.ts';
import type { MatrixRead } from './use-matrix.ts';

/** Collapses and expands groups of rows. */
export interface GroupActions {
  set(group: Pick<GroupLine, 'key'>, isCollapsed: boolean): void;
  setAll(isCollapsed: boolean): void;
}

type SetCollapsed = (change: (collapsed: ReadonlySet<string>) => ReadonlySet<string>) => void;

export const groupActions = ({ lines }: Pick<MatrixRead, 'lines'>, setCollapsed: SetCollapsed): GroupActions => ({
  set: ({ key }, isCollapsed) =>
    setCollapsed(
      (collapsed) => new Set(isCollapsed ? [...collapsed, key] : [...collapsed].filter((otherKey) => otherKey !== key)),
    ),
  setAll: (isCollapsed) => setCollapsed(() => new Set(isCollapsed ? lines.groups.map(({ key }) => key) : [])),
});
