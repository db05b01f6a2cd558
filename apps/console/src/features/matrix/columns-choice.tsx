import { Columns3 } from 'lucide-react';
import { useEffect, useRef } from 'react';
import type { EnvironmentColumn } from '../../lib/environment-tree.ts';
import button from '../../ui/button.module.css';
import { UserText } from '../../ui/user-text.tsx';
import styles from './toolbar.module.css';

interface ColumnsChoiceProps {
  readonly environments: readonly EnvironmentColumn[];
  /** The names of the visible environments; undefined for all. */
  readonly shown: readonly string[] | undefined;
  onChoose(names: readonly string[] | undefined): void;
}

/** Renders the choice of visible environments. */
export function ColumnsChoice({ environments, shown, onChoose }: ColumnsChoiceProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const isShown = (name: string) => shown?.includes(name) ?? true;
  const chosen = environments.filter(({ name }) => isShown(name));
  useEffect(() => {
    const close = (event: Event) => {
      const isInside = details.current?.contains(event.target as Node) ?? false;
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape';
      if (details.current?.open && (isEscape || (event.type === 'pointerdown' && !isInside)))
        details.current.open = false;
    };
    addEventListener('pointerdown', close);
    addEventListener('keydown', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('keydown', close);
    };
  }, []);
  const toggle = (name: string) => {
    const names = environments.map((one) => one.name).filter((one) => (one === name ? !isShown(one) : isShown(one)));
    if (names.length > 0) onChoose(names.length === environments.length ? undefined : names);
  };
  return (
    <details ref={details} className={styles.columns}>
      <summary className={button.quiet}>
        <Columns3 size={14} aria-hidden />
        {chosen.length === environments.length ? 'All environments' : `${chosen.length} of ${environments.length}`}
      </summary>
      <fieldset className={styles.menu}>
        <legend className="heard">Environments that are shown</legend>
        {environments.map(({ id, name }) => (
          <label key={id}>
            <input
              type="checkbox"
              checked={isShown(name)}
              disabled={chosen.length === 1 && isShown(name)}
              onChange={() => toggle(name)}
            />
            <UserText>{name}</UserText>
          </label>
        ))}
        <button
          type="button"
          className={button.plain}
          disabled={shown === undefined}
          onClick={() => onChoose(undefined)}
        >
          Show all
        </button>
      </fieldset>
    </details>
  );
}
