import { useSyncExternalStore } from 'react';

/** Whether a media query matches; follows changes. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (listener) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    () => matchMedia(query).matches,
  );
}

/** Room for one column of values. The style sheets use the same width. */
export const NARROW = '(width < 56rem)';
