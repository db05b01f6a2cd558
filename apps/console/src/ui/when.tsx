import { instantWords } from '../lib/instant.ts';
import { clockTime, exactTime } from './time.ts';

/** Shows a time, with seconds in the tooltip. */
export function When({ at, short = false }: { readonly at: string; readonly short?: boolean }) {
  return (
    <time dateTime={at} title={exactTime(at)}>
      {short ? clockTime(at) : instantWords(at)}
    </time>
  );
}
