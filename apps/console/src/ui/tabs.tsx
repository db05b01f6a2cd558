import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import styles from './tabs.module.css';

interface TabsProps {
  readonly label: string;
  /** The links. */
  readonly children: ReactNode;
}

/** Links between pages that belong together. On narrow screens, the link to the current page is scrolled into view. */
export function Tabs({ label, children }: TabsProps) {
  const address = useLocation({ select: ({ pathname }) => pathname });
  const tabs = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each address has another current link
  useEffect(() => {
    tabs.current?.querySelector('[data-status="active"]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [address]);
  return (
    <nav ref={tabs} aria-label={label} className={styles.tabs} data-region>
      {children}
    </nav>
  );
}
