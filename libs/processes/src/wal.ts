// The names of the files of a write-ahead log: `<timeline><number>`, in hexadecimal digits.

const SEGMENT = /^[0-9A-F]{24}$/;
const HISTORY = /^[0-9A-F]{8}\.history$/;

export const isWalSegment = (name: string): boolean => SEGMENT.test(name);
/** Returns whether a file describes where a timeline began. A restore begins a new timeline. */
export const isTimelineHistory = (name: string): boolean => HISTORY.test(name);

/** Returns the position of a segment in the log, which all timelines share. */
export function segmentNumber(name: string, segmentBytes: number): number {
  const [high, low] = [name.slice(8, 16), name.slice(16)];
  return Number.parseInt(high, 16) * segmentsPerFile(segmentBytes) + Number.parseInt(low, 16);
}

/** Returns the position of the segment that contains a location such as `0/5000150`. */
export function parseSegmentNumber(location: string, segmentBytes: number): number {
  const [high = '', low = ''] = location.split('/');
  const offset = Math.floor(Number.parseInt(low, 16) / segmentBytes);
  return Number.parseInt(high, 16) * segmentsPerFile(segmentBytes) + offset;
}

/** Returns the name of a segment in a timeline. */
export function segmentName(number: number, timeline: string, segmentBytes: number): string {
  const count = segmentsPerFile(segmentBytes);
  const hex = (part: number) => part.toString(16).toUpperCase().padStart(8, '0');
  return `${timeline}${hex(Math.floor(number / count))}${hex(number % count)}`;
}

const segmentsPerFile = (segmentBytes: number): number => 2 ** 32 / segmentBytes;
