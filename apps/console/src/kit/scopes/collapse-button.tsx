import { ChevronRight } from 'lucide-react';
import { formatCount } from '../../lib/format-count.ts';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import styles from './collapse-button.module.css';

interface CollapseButtonProps {
  /** The name of the environment. */
  readonly name: string;
  /** The number of environments below it. */
  readonly below: number;
  readonly isCollapsed: boolean;
  /** The class that places the button. */
  readonly className: string | undefined;
  readonly tabIndex?: number;
  onCollapse(isCollapsed: boolean): void;
  onFocus?(): void;
}

/** Hides the environments below an environment, or shows them again. */
export function CollapseButton({
  name,
  below,
  isCollapsed,
  className,
  onCollapse,
  ...attributes
}: CollapseButtonProps) {
  const environments = formatCount(below, 'environment');
  return (
    <button
      type="button"
      className={`${styles.button} ${className}`}
      aria-expanded={!isCollapsed}
      aria-label={withVisibleCharacters(`${environments} below ${name}`)}
      title={`${isCollapsed ? 'Show' : 'Hide'} ${environments} below`}
      onClick={() => onCollapse(!isCollapsed)}
      {...attributes}
    >
      <ChevronRight size={14} aria-hidden />
    </button>
  );
}
