// Selects the archived write-ahead log that continues a backup.
import fs from 'node:fs';
import path from 'node:path';
import { isTimelineHistory, isWalSegment, parseSegmentNumber, segmentName, segmentNumber } from '@strata/processes';
import type { Manifest } from './backup-folder.ts';

/** The part of a manifest that says where the log of its backup ends. */
type LogOfBackup = Pick<Manifest, 'lastSegment' | 'walSegmentBytes'>;

/** The files of the archive that a restore replays after a backup. */
export interface LogAfterBackup {
  readonly names: readonly string[];
  readonly bytes: number;
  /** The number of the last segment; that of the backup if the archive has none. */
  readonly last: number;
  /** Why the log ends before the archive does; null if it is complete. */
  readonly problem: string | null;
}

/** The part of the log that a restore began, and its end where a later restore continued from an earlier state. */
interface Timeline {
  readonly id: string;
  readonly end: number;
}

/** The archived log of an installation. Each restore begins a timeline, so its history is a list of them. */
export class Archive {
  private readonly names: readonly string[];

  constructor(private readonly folder: string) {
    this.names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  }

  /** Returns whether a backup is of the present history, and not of one that a restore to an earlier instant replaced. */
  continues(manifest: LogOfBackup): boolean {
    const number = segmentNumber(manifest.lastSegment, manifest.walSegmentBytes);
    return manifest.lastSegment.startsWith(timelineOf(number, this.timelines(manifest)));
  }

  /** Returns the log from the end of a backup on, until a segment is missing or damaged. */
  after(manifest: LogOfBackup, until = Infinity): LogAfterBackup {
    const { lastSegment, walSegmentBytes } = manifest;
    const lastOfBackup = segmentNumber(lastSegment, walSegmentBytes);
    const timelines = this.timelines(manifest);
    const end = Math.min(until, Math.max(lastOfBackup, this.lastNumber(timelines, walSegmentBytes)));
    const names: string[] = [];
    for (let number = lastOfBackup + 1; number <= end; number += 1) {
      const name = segmentName(number, timelineOf(number, timelines), walSegmentBytes);
      const file = path.join(this.folder, name);
      const size = fs.statSync(file, { throwIfNoEntry: false })?.size;
      const sizeProblem = size === undefined ? 'is missing' : `has ${size} bytes instead of ${walSegmentBytes}`;
      if (size !== walSegmentBytes) return this.log(names, walSegmentBytes, number - 1, `${file} ${sizeProblem}`);
      names.push(name);
    }
    return this.log(names, walSegmentBytes, end, null);
  }

  private log(
    names: readonly string[],
    segmentBytes: number,
    lastSegmentNumber: number,
    problem: string | null,
  ): LogAfterBackup {
    const histories = this.names.filter(isTimelineHistory);
    return { names: [...histories, ...names], bytes: names.length * segmentBytes, last: lastSegmentNumber, problem };
  }

  /** Returns the number of the last archived segment of the latest timeline; of its first one if there is none. */
  private lastNumber(timelines: readonly Timeline[], segmentBytes: number): number {
    const latest = timelines.at(-1)?.id ?? '';
    const segments = this.names.filter((name) => isWalSegment(name) && name.startsWith(latest));
    return Math.max(timelines.at(-2)?.end ?? 0, ...segments.map((name) => segmentNumber(name, segmentBytes)));
  }

  /** Returns the timelines of the present history, oldest first. A backup can be of one that is not archived yet. */
  private timelines({ lastSegment, walSegmentBytes }: LogOfBackup): readonly Timeline[] {
    const timelineOfBackup = lastSegment.slice(0, 8);
    const latest = this.names.filter(isTimelineHistory).sort().at(-1);
    if (latest === undefined || latest.slice(0, 8) < timelineOfBackup) return [{ id: timelineOfBackup, end: Infinity }];
    const lines = fs.readFileSync(path.join(this.folder, latest), 'utf8').split('\n');
    const earlierTimelines = lines.flatMap((line): Timeline[] => {
      const [, id, location] = /^(\d+)\t([0-9A-F]+\/[0-9A-F]+)\t/.exec(line) ?? [];
      if (id === undefined || location === undefined) return [];
      const hex = Number(id).toString(16).toUpperCase().padStart(8, '0');
      return [{ id: hex, end: parseSegmentNumber(location, walSegmentBytes) }];
    });
    return [...earlierTimelines, { id: latest.slice(0, 8), end: Infinity }];
  }
}

/** Returns the timeline of a segment. That in which a timeline ends belongs to the next one, too. */
const timelineOf = (number: number, timelines: readonly Timeline[]): string =>
  timelines.find(({ end }) => number < end)?.id ?? '';
