import { Columns3 } from 'lucide-react';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { Popover } from '../../ui/popover.tsx';
import type { ColumnsMenuProps } from './columns-menu.tsx';
import { columnsOf } from './grid-types.ts';

const ColumnsMenu = lazyPart(async () => (await import('./columns-menu.tsx')).ColumnsMenu);

/** Renders the choice of visible environments, their order and widths. */
export function ColumnsChoice(props: ColumnsMenuProps) {
  const { environments, search } = props;
  const { length } = columnsOf(environments, search);
  return (
    <Popover
      summary={
        <>
          <Columns3 size={14} aria-hidden />
          {length === environments.length ? 'All environments' : `${length} of ${environments.length}`}
        </>
      }
    >
      <ColumnsMenu {...props} />
    </Popover>
  );
}
