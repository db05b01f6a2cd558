import { useEffect, useEffectEvent } from 'react';

/** The time after which a revealed secret is hidden. */
const SHOWN_MS = 30_000;

/**
 * Hides a revealed secret after half a minute, and when the window is hidden or loses the focus. `shown` is null if no secret is revealed.
 */
export function useAutoHide(shownSecret: object | null, hide: () => void): void {
  // `hide` changes with each render, which must not restart the timer.
  const hideNow = useEffectEvent(hide);
  useEffect(() => {
    if (shownSecret === null) return;
    const end = () => hideNow();
    const timer = setTimeout(end, SHOWN_MS);
    addEventListener('blur', end);
    document.addEventListener('visibilitychange', end);
    return () => {
      clearTimeout(timer);
      removeEventListener('blur', end);
      document.removeEventListener('visibilitychange', end);
    };
  }, [shownSecret]);
}
