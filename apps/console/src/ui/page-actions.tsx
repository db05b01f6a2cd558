import { Link } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import button from './button.module.css';
import styles from './page-actions.module.css';
import { UserText } from './user-text.tsx';
import { withVisibleCharacters } from './visible-characters.ts';

export interface PageAction {
  /** The value of `do` in the URL. */
  readonly does: string;
  readonly title: string;
  readonly Sign: LucideIcon;
  /** Whether it is the main action of the page. */
  readonly isMain?: boolean;
  /** Whether it ends something. Actions that delete are recognized by their name. */
  readonly isDestructive?: boolean;
}

interface VerbsProps {
  /** A label that contains the name of the object, for screen readers. */
  readonly label: string;
  readonly verbs: readonly PageAction[];
  readonly chosen: string | undefined;
}

/** Shows the actions of a page. The open action is part of the URL, so that the back button closes it. */
export function PageActions({ label, verbs, chosen }: VerbsProps) {
  const nav = useRef<HTMLElement>(null);
  const before = useRef(chosen);
  useEffect(() => {
    // When a form closes, the focus returns to the button that opened it.
    const { activeElement } = document;
    const isLost = activeElement === document.body || activeElement?.id === 'content';
    if (chosen === undefined && before.current !== undefined && isLost) {
      nav.current?.querySelector<HTMLElement>(`[data-does="${before.current}"]`)?.focus();
    }
    before.current = chosen;
  }, [chosen]);
  return (
    <nav ref={nav} aria-label={withVisibleCharacters(label)} className={styles.verbs}>
      {verbs.map(({ does, title, Sign, isMain, isDestructive = does === 'delete' }) => (
        <Link
          key={does}
          to="."
          search={(search: object) => ({ ...search, do: does, what: undefined })}
          className={isMain ? button.main : isDestructive ? button.danger : button.plain}
          data-does={does}
          data-destructive={isDestructive || undefined}
          aria-current={does === chosen || undefined}
          activeProps={{}}
        >
          <Sign size={14} aria-hidden /> {title}
        </Link>
      ))}
    </nav>
  );
}

interface VerbPanelProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** Shows the form of the open action. */
export function ActionPanel({ title, children }: VerbPanelProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const first = panel.current?.querySelector<HTMLElement>('input, select, textarea');
    (first ?? panel.current?.querySelector('h2'))?.focus();
  }, []);
  return (
    <section ref={panel} className={styles.panel} aria-label={withVisibleCharacters(title)}>
      <h2 tabIndex={-1}>
        <UserText>{title}</UserText>
      </h2>
      {children}
    </section>
  );
}

/** Closes the open action. */
export function CancelLink({ children = 'Cancel' }: { readonly children?: ReactNode }) {
  return (
    <Link to="." search={(search: object) => ({ ...search, do: undefined, what: undefined })} className={button.quiet}>
      {children}
    </Link>
  );
}
