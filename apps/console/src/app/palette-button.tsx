import { Search } from 'lucide-react';
import { Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { lazyPart } from '../ui/lazy-part.tsx';
import styles from './rail.module.css';

const load = () => import('../features/palette/palette.tsx');
const Palette = lazyPart(async () => (await load()).Palette);

/** The delay before the palette is preloaded, so that text typed right after the shortcut is not lost. */
const LOADED_AFTER_MS = 2_000;

/** Opens the command palette, also with Ctrl+K or ⌘K. */
export function PaletteButton() {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    // If the preload fails, the palette is loaded when it opens.
    const timer = setTimeout(() => void load().catch(() => undefined), LOADED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  // A layout effect listens before the first paint, so that no early shortcut is lost.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      // An open dialog keeps the focus, so the shortcut is ignored.
      if (document.querySelector('dialog[open]')) return;
      event.preventDefault();
      setShown(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        className={styles.search}
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setShown(true)}
      >
        <Search size={15} aria-hidden /> <span>Search</span> <kbd aria-hidden>Ctrl K</kbd>
      </button>
      {isShown && (
        <Suspense>
          <Palette onClose={() => setShown(false)} />
        </Suspense>
      )}
    </>
  );
}
