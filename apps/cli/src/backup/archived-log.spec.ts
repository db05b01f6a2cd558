import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Archive } from './archived-log.ts';

const walSegmentBytes = 2 ** 20;
const name = (timeline: number, number: number): string =>
  `${String(timeline).padStart(8, '0')}00000000${number.toString(16).toUpperCase().padStart(8, '0')}`;

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'strata-wal-'));
});
afterEach(() => fs.rmSync(folder, { recursive: true }));

/** Creates complete segments of a timeline. Holes in a file take no space. */
function segments(timeline: number, from: number, to: number): void {
  for (let number = from; number <= to; number += 1) {
    fs.writeFileSync(path.join(folder, name(timeline, number)), '');
    fs.truncateSync(path.join(folder, name(timeline, number)), walSegmentBytes);
  }
}

/** Creates the history of the timeline that a restore began within a segment. */
function history(timeline: number, ...ends: readonly number[]): void {
  const lines = ends.map((end, at) => `${at + 1}\t0/${end.toString(16).toUpperCase()}00150\tbefore 2026-11-25\n`);
  fs.writeFileSync(path.join(folder, `${String(timeline).padStart(8, '0')}.history`), lines.join(''));
}

const backup = (timeline: number, number: number) => ({ lastSegment: name(timeline, number), walSegmentBytes });
const after = (timeline: number, number: number, until?: number) =>
  new Archive(folder).after(backup(timeline, number), until);

test('a backup without an archive ends with its own log', () => {
  expect(new Archive(path.join(folder, 'missing')).after(backup(1, 5))).toEqual({
    ...{ names: [], bytes: 0, last: 5, problem: null },
  });
});

test('continues with all segments after the backup, or those up to a limit', () => {
  segments(1, 3, 8);
  expect(after(1, 5)).toEqual({
    ...{ names: [name(1, 6), name(1, 7), name(1, 8)], bytes: 3 * walSegmentBytes, last: 8, problem: null },
  });
  expect(after(1, 5, 7)).toMatchObject({ names: [name(1, 6), name(1, 7)], last: 7 });
});

test('ends before a segment that is missing or cut off', () => {
  segments(1, 6, 9);
  fs.truncateSync(path.join(folder, name(1, 8)), 10);
  const problem = `${path.join(folder, name(1, 8))} has 10 bytes instead of 1048576`;
  expect(after(1, 5)).toMatchObject({ names: [name(1, 6), name(1, 7)], last: 7, problem });
  fs.rmSync(path.join(folder, name(1, 8)));
  expect(after(1, 5)).toMatchObject({ last: 7, problem: `${path.join(folder, name(1, 8))} is missing` });
});

test('follows the history of restores, and leaves out the log that a restore to an earlier instant replaced', () => {
  segments(1, 6, 12);
  history(2, 8);
  segments(2, 8, 10);
  const files = ['00000002.history', name(1, 6), name(1, 7), name(2, 8), name(2, 9), name(2, 10)];
  expect(after(1, 5)).toMatchObject({ names: files, last: 10, problem: null });
  expect(new Archive(folder).continues(backup(1, 5))).toBe(true);
  expect(new Archive(folder).continues(backup(2, 9))).toBe(true);
  expect(new Archive(folder).continues(backup(1, 11))).toBe(false);
});

test('requires the first segment of the latest history, because the replaced one has other content', () => {
  segments(1, 6, 12);
  history(2, 8);
  expect(after(1, 5)).toMatchObject({ last: 7, problem: `${path.join(folder, name(2, 8))} is missing` });
});

test('accepts a backup of a history that is not archived', () => {
  segments(1, 6, 12);
  history(2, 8);
  expect(new Archive(folder).continues(backup(3, 9))).toBe(true);
  expect(after(3, 9)).toMatchObject({ last: 9, problem: null });
});
