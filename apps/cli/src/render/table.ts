import { stripVTControlCharacters } from 'node:util';
import { paint, print } from '../core/output.ts';

/** Prints rows as columns. The last column is not padded. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  print(tableText(headings, rows, (heading) => paint('bold', heading)));
}

/** Returns rows as columns. */
export function tableText(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  head = (heading: string): string => heading,
): string {
  const widths = headings.map((heading, at) =>
    Math.max(heading.length, ...rows.map((row) => measureWidth(row[at] ?? ''))),
  );
  const line = (cells: readonly string[]) =>
    cells.map((cell, at) => (at === cells.length - 1 ? cell : cell + padding(widths[at] ?? 0, cell))).join('  ');
  return [head(line(headings)), ...rows.map(line)].map((text) => text.trimEnd()).join('\n');
}

const measureWidth = (text: string): number => stripVTControlCharacters(text).length;
const padding = (width: number, cell: string): string => ' '.repeat(Math.max(0, width - measureWidth(cell)));
