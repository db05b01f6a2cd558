import { Columns3, Rows3 } from 'lucide-react';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Popover } from '../../ui/popover.tsx';
import type { ColumnsMenuProps } from './columns-menu.tsx';
import { selectColumns } from './grid-types.ts';

const ColumnsMenu = lazyPart(async () => (await import('./columns-menu.tsx')).ColumnsMenu);
const RowsMenu = lazyPart(async () => (await import('./rows-menu.tsx')).RowsMenu);

interface ColumnsChoiceProps extends ColumnsMenuProps {
  /** Whether the screen shows one environment only, which is chosen elsewhere. */
  readonly isNarrow: boolean;
}

/** Renders the choice of visible environments, their order and widths, and whether rows are grouped. */
export function ColumnsChoice({ isNarrow, ...props }: ColumnsChoiceProps) {
  const { environments, defaults, search } = props;
  if (isNarrow) {
    return (
      <Popover
        summary={
          <>
            <Rows3 size={14} aria-hidden />
            <span className="heard">Rows</span>
          </>
        }
      >
        <RowsMenu {...props} />
      </Popover>
    );
  }
  const { length } = selectColumns(environments, search, defaults);
  return (
    <Popover
      summary={
        <>
          <Columns3 size={14} aria-hidden />
          {length === environments.length ? 'All environments' : `${length} of ${environments.length}`}
        </>
      }
    >
      <RowsMenu {...props} />
      {environments.length > 1 && <ColumnsMenu {...props} />}
    </Popover>
  );
}
