import { useEffect } from 'react';

/** How long a secret can be read before it hides again. */
const SHOWN_MS = 30_000;

/** Hides what is shown after half a minute, and when the window loses the focus or is not looked at. Null: nothing is shown. */
export function useHiding(shown: object | null, hide: () => void): void {
  // Not by `hide`, which is another one each time: the time runs from when it is shown.
  useEffect(() => {
    if (shown === null) return;
    const timer = setTimeout(hide, SHOWN_MS);
    addEventListener('blur', hide);
    document.addEventListener('visibilitychange', hide);
    return () => {
      clearTimeout(timer);
      removeEventListener('blur', hide);
      document.removeEventListener('visibilitychange', hide);
    };
  }, [shown]);
}
