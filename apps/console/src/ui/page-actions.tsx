import { Link } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import button from './button.module.css';
import styles from './page-actions.module.css';
import { spelledOut } from './spelled-out.ts';
import { UserText } from './user-text.tsx';

export interface PageAction {
  /** As the address says it (`do`). */
  readonly does: string;
  readonly title: string;
  readonly Sign: LucideIcon;
  /** What most people come for. */
  readonly isMain?: boolean;
}

interface VerbsProps {
  /** What they are done to. */
  readonly label: string;
  readonly verbs: readonly PageAction[];
  readonly chosen: string | undefined;
}

/** What can be done with what a page is about. Each stands in the address, so that the way back leads out of it. */
export function PageActions({ label, verbs, chosen }: VerbsProps) {
  const nav = useRef<HTMLElement>(null);
  const before = useRef(chosen);
  useEffect(() => {
    // Whoever leaves a form goes on from where they opened it.
    const { activeElement } = document;
    const isLost = activeElement === document.body || activeElement?.id === 'content';
    if (chosen === undefined && before.current !== undefined && isLost) {
      nav.current?.querySelector<HTMLElement>(`[data-does="${before.current}"]`)?.focus();
    }
    before.current = chosen;
  }, [chosen]);
  return (
    <nav ref={nav} aria-label={spelledOut(label)} className={styles.verbs}>
      {verbs.map(({ does, title, Sign, isMain }) => (
        <Link
          key={does}
          to="."
          search={(search: object) => ({ ...search, do: does, what: undefined })}
          className={isMain ? button.main : button.plain}
          data-does={does}
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

/** Where something is being done. */
export function ActionPanel({ title, children }: VerbPanelProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const first = panel.current?.querySelector<HTMLElement>('input, select, textarea');
    (first ?? panel.current?.querySelector('h2'))?.focus();
  }, []);
  return (
    <section ref={panel} className={styles.panel} aria-label={spelledOut(title)}>
      <h2 tabIndex={-1}>
        <UserText>{title}</UserText>
      </h2>
      {children}
    </section>
  );
}

/** Leaves what is being done. */
export function CancelLink({ children = 'Cancel' }: { readonly children?: ReactNode }) {
  return (
    <Link to="." search={(search: object) => ({ ...search, do: undefined, what: undefined })} className={button.quiet}>
      {children}
    </Link>
  );
}
