import { clockTime, dayAndTime, exactTime } from './time.ts';

/** An instant; pointing at it tells the second. */
export function Moment({ at, short = false }: { readonly at: string; readonly short?: boolean }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {short ? clockTime(at) : dayAndTime(at)}
    </time>
  );
}
