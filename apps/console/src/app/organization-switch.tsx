import { ChevronsUpDown } from 'lucide-react';
import { Suspense, useEffect, useRef } from 'react';
import type { SignedInViewer } from '../data/session.ts';
import { lazyPart } from '../ui/lazy-part.tsx';
import { UserText } from '../ui/user-text.tsx';
import styles from './organization-switch.module.css';

const OrganizationMenu = lazyPart(
  async () => (await import('../features/organization/organization-menu.tsx')).OrganizationMenu,
);

interface OrganizationSwitchProps {
  readonly viewer: SignedInViewer | undefined;
  /** Whether the list of organizations is open. */
  readonly isOpen: boolean;
  onOpen(isOpen: boolean): void;
}

/** Shows the current organization with a menu of the user's other organizations. */
export function OrganizationSwitch({ viewer, isOpen, onOpen: setOpen }: OrganizationSwitchProps) {
  const container = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const close = (event: Event) => {
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape';
      const isOutside = event.type === 'pointerdown' && !container.current?.contains(event.target as Node);
      if (!isEscape && !isOutside) return;
      setOpen(false);
      if (isEscape) opener.current?.focus();
    };
    addEventListener('pointerdown', close);
    addEventListener('keydown', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('keydown', close);
    };
  }, [isOpen, setOpen]);
  return (
    <div ref={container} className={styles.place}>
      <button
        ref={opener}
        type="button"
        className={styles.opener}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <img src="/strata.svg" alt="" width={20} height={20} />
        <span>
          <UserText>{viewer?.organization?.name ?? 'Strata'}</UserText>
        </span>
        <ChevronsUpDown size={13} aria-hidden className={styles.sign} />
      </button>
      {isOpen && (
        <Suspense>
          <OrganizationMenu isPerson={viewer?.user.type === 'interactive'} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
