import { useSyncExternalStore } from 'react';

/** Whether the screen is as a media query says, now and later. */
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

/** Room for one column of values only; as the styles say it. */
export const NARROW = '(width < 56rem)';
