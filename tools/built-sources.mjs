// Maps positions in built files to positions in the sources.
import fs from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from './ensure.mjs';

const builtFiles = new Map();

/** Returns the position of a built function in the sources; null for code that is not ours. */
export function findSource(url, offset) {
  if (!url.startsWith('file:')) return null;
  const file = fileURLToPath(url);
  const match = /^(apps\/core|libs\/[^/]+)\/build\/(.+)\.js$/.exec(path.relative(root, file));
  if (!match) return null;
  const built = builtFile(file);
  const { line, column } = built.positionOf(offset);
  const original = built.map?.findEntry(line, column);
  return { file: `${match[1]}/src/${match[2]}.ts`, line: (original?.originalLine ?? line) + 1 };
}

function builtFile(file) {
  const before = builtFiles.get(file);
  if (before) return before;
  const text = fs.readFileSync(file, 'utf8');
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const findPosition = (offset) => {
    const line = starts.findLastIndex((start) => start <= offset);
    return { line, column: offset - starts[line] };
  };
  const map = fs.existsSync(`${file}.map`) ? new SourceMap(JSON.parse(fs.readFileSync(`${file}.map`, 'utf8'))) : null;
  const built = { positionOf: findPosition, map };
  builtFiles.set(file, built);
  return built;
}
