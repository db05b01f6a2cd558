import { useEffect, useEffectEvent, useRef } from 'react';

/** The distance from the visible part of the page at which the next rows are loaded. */
const AHEAD = '600px';

/** Calls a function when the end of a list comes into view. Give it a key that changes when the list has grown. */
export function WhenVisible({ onVisible }: { onVisible(): void }) {
  const mark = useRef<HTMLDivElement>(null);
  const notify = useEffectEvent(onVisible);
  useEffect(() => {
    if (mark.current === null) return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && notify(), { rootMargin: AHEAD });
    observer.observe(mark.current);
    return () => observer.disconnect();
  }, []);
  return <div ref={mark} />;
}
