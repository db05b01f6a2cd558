import { Search } from 'lucide-react';
import { Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { lazyPart } from '../ui/lazy-part.tsx';
import styles from './rail.module.css';

const load = () => import('../features/palette/palette.tsx');
const Palette = lazyPart(async () => (await load()).Palette);

/** Preloads the palette when the page is idle, so that text typed right after the shortcut is not lost. */
const LOADED_AFTER_MS = 2_000;

/** Opens the palette, as Ctrl+K or ⌘K do everywhere. */
export function PaletteButton() {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    // A failed preload is repeated when the palette opens.
    const timer = setTimeout(() => void load().catch(() => undefined), LOADED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  // Listens from the first render on, not after the button was painted.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      // An open dialog keeps the focus.
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
