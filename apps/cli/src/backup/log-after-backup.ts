// Selects the archived write-ahead log that continues a backup.
import fs from 'node:fs';
import path from 'node:path';
import { isTimelineHistory, isWalSegment, segmentName, segmentNumber } from '@strata/processes';
import type { Manifest } from './backup-folder.ts';

interface Segment {
  readonly name: string;
  readonly number: number;
  readonly bytes: number;
}

/** The files of the archive that a restore replays after a backup. */
export interface LogAfterBackup {
  readonly names: readonly string[];
  readonly bytes: number;
  /** The number of the last segment; that of the backup if the archive has none. */
  readonly last: number;
  /** Why the log ends before the archive does; null if it is complete. */
  readonly problem: string | null;
}

/** Returns the log of an archive from the first segment of a backup on, until a segment is missing or damaged. */
export function logAfterBackup(archive: string, manifest: Manifest, until = Infinity): LogAfterBackup {
  const { firstSegment, lastSegment, walSegmentBytes } = manifest;
  const [first, own] = [firstSegment, lastSegment].map((name) => segmentNumber(name, walSegmentBytes)) as [
    number,
    number,
  ];
  const all = fs.existsSync(archive) ? fs.readdirSync(archive) : [];
  const histories = all.filter(isTimelineHistory);
  const segments = all.filter(isWalSegment).flatMap((name): Segment[] => {
    const number = segmentNumber(name, walSegmentBytes);
    if (number < first || number > until) return [];
    return [{ name, number, bytes: fs.statSync(path.join(archive, name)).size }];
  });
  // Each restore begins a timeline. What earlier ones contain after that is not part of the history any more.
  const latest = [...histories, ...segments.map(({ name }) => name)]
    .map((name) => name.slice(0, 8))
    .sort()
    .at(-1);
  const end = Math.max(own, ...segments.flatMap(({ name, number }) => (name.startsWith(latest ?? '') ? number : [])));
  const problem = firstProblem(segments, own + 1, end, lastSegment, walSegmentBytes);
  const last = problem ? problem.number - 1 : end;
  const usable = segments.filter(({ number }) => number <= last);
  return {
    names: [...histories, ...usable.map(({ name }) => name)],
    bytes: usable.reduce((sum, { bytes }) => sum + bytes, 0),
    last,
    problem: problem && `${path.join(archive, problem.name)} ${problem.is}`,
  };
}

/** Returns the first segment that is missing or has another size than all segments have. */
function firstProblem(segments: readonly Segment[], from: number, to: number, like: string, segmentBytes: number) {
  for (let number = from; number <= to; number += 1) {
    const found = segments.filter((segment) => segment.number === number);
    if (found.length === 0) return { number, name: segmentName(number, like, segmentBytes), is: 'is missing' };
    const short = found.find(({ bytes }) => bytes !== segmentBytes);
    if (short) return { number, name: short.name, is: `has ${short.bytes} bytes instead of ${segmentBytes}` };
  }
  return null;
}
