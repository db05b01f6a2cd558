import { Search } from 'lucide-react';
import { Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { lazyPart } from '../ui/lazy-part.tsx';
import styles from './rail.module.css';

const load = () => import('../features/palette/palette.tsx');
const Palette = lazyPart(async () => (await load()).Palette);

/** Once the page has come to rest, so that what is typed right behind the keys is not lost. */
const LOADED_AFTER_MS = 2_000;

/** Opens the palette, as Ctrl+K or ⌘K do everywhere. */
export function PaletteButton() {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    // What cannot be loaded now is asked for again where it is needed.
    const timer = setTimeout(() => void load().catch(() => undefined), LOADED_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  // With the button, not after it was painted.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      // A dialog that asks something is answered first.
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
