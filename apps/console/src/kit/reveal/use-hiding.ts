import { useEffect, useEffectEvent } from 'react';

/** How long a secret can be read before it hides again. */
const SHOWN_MS = 30_000;

/** Hides what is shown after half a minute, and when the window loses the focus or is not looked at. Null: nothing is shown. */
export function useHiding(shown: object | null, hide: () => void): void {
  // `hide` is another function each time, and the time runs from when it is shown.
  const hideNow = useEffectEvent(hide);
  useEffect(() => {
    if (shown === null) return;
    const end = () => hideNow();
    const timer = setTimeout(end, SHOWN_MS);
    addEventListener('blur', end);
    document.addEventListener('visibilitychange', end);
    return () => {
      clearTimeout(timer);
      removeEventListener('blur', end);
      document.removeEventListener('visibilitychange', end);
    };
  }, [shown]);
}
