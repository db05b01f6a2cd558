import type { ReactNode } from 'react';

interface ListStatusProps {
  /** Whether the rows are still those of an earlier filter or page. */
  readonly isOld: boolean;
  /** The text until the rows are loaded. */
  readonly busy?: string;
  readonly className?: string | undefined;
  /** The number of rows. */
  readonly children: ReactNode;
}

/** Shows the number of rows of a list, for screen readers as well. It never shows the number of an earlier filter. */
export function ListStatus({ isOld, busy = 'Loading …', className, children }: ListStatusProps) {
  return (
    <p role="status" className={className}>
      {isOld ? busy : children}
    </p>
  );
}
