import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  Scalar,
  type YAMLMap,
} from 'yaml';
import { type EnvProblem, NAMES_MAX, type ReadLines } from '../../kit/env-file/env-lines.ts';

/** The values of a file for one environment; null if the file names no environments. */
export interface ReadPart extends ReadLines {
  readonly environment: string | null;
}

/** The separators with which nested names can be joined. */
export const SEPARATORS = ['_', '__', '.', '/'] as const;
export type Separator = (typeof SEPARATORS)[number];

interface StructuredOptions {
  readonly format: 'JSON' | 'YAML';
  readonly separator: Separator;
  /** The names of environments. If all top-level names of a file are among them, the file contains a map for each environment. */
  readonly environments: ReadonlySet<string>;
}

/** The maximum depth of nested names. */
const DEPTH_MAX = 32;

/**
 * Reads JSON or YAML. Nested names are joined, and lists become JSON. All other values keep the text in which they are written, so that
 * numbers keep their digits. Errors do not repeat the text, because it may be a secret.
 */
export function structuredParts(source: string, options: StructuredOptions): readonly ReadPart[] {
  const counter = new LineCounter();
  const document = parseDocument(source, {
    lineCounter: counter,
    uniqueKeys: false,
    prettyErrors: false,
    schema: 'core',
  });
  // Only the first error is reported, because it may cause the others.
  const problems = document.errors.slice(0, 1).map(({ pos: [at] }) => ({
    line: counter.linePos(at).line,
    message: `From here on this is not valid ${options.format}.`,
  }));
  const top = document.contents;
  if (problems.length > 0) return [{ environment: null, assignments: [], problems }];
  if (top === null || (isScalar(top) && top.value === null)) return [];
  if (!isMap(top)) {
    return [{ environment: null, assignments: [], problems: [{ line: 1, message: 'Write names with their values.' }] }];
  }
  const parts = environmentsIn(top, options.environments) ?? [{ environment: null, map: top }];
  return parts.map(({ environment, map }) => {
    const reader = new Reader(document, counter, options.separator);
    reader.read(map, []);
    return { environment, assignments: reader.assignments.slice(0, NAMES_MAX + 1), problems: reader.problems };
  });
}

function environmentsIn(top: YAMLMap, known: ReadonlySet<string>) {
  const parts = top.items.map(({ key, value }) => ({ environment: nameOf(key), map: value }));
  const areAll = parts.every(({ environment, map }) => known.has(environment) && isMap(map));
  if (!areAll || parts.length === 0) return null;
  return parts.flatMap(({ environment, map }) => (isMap(map) ? [{ environment, map }] : []));
}

class Reader {
  readonly assignments: { readonly line: number; readonly name: string; readonly text: string | null }[] = [];
  readonly problems: EnvProblem[] = [];

  /** The entries of each map, including merged ones. Each map is resolved only once, because aliases can repeat large maps many times. */
  private readonly entriesByMap = new Map<YAMLMap, readonly Pair[]>();

  constructor(
    private readonly document: Document,
    private readonly counter: LineCounter,
    private readonly separator: Separator,
  ) {}

  read(map: YAMLMap, path: readonly string[]): void {
    for (const { key, value } of this.pairsOf(map)) {
      // Nested maps may be large, too, so each level checks the limit.
      if (this.assignments.length > NAMES_MAX) return;
      this.readValue((key as Node).range?.[0] ?? 0, [...path, nameOf(key)], value);
    }
  }

  private readValue(at: number, path: readonly string[], given: unknown): void {
    const { line } = this.counter.linePos(at);
    const value = this.resolved(given);
    if (path.length > DEPTH_MAX) {
      this.problems.push({ line, message: `It has more than ${DEPTH_MAX} levels.` });
    } else if (isMap(value)) {
      this.read(value, path);
    } else {
      this.assignments.push({ line, name: path.join(this.separator), text: this.textOf(value) });
    }
  }

  /**
   * Returns the entries of a map, followed by the entries of its merged maps (`<<: *defaults`) that have other names. Earlier merged maps
   * take precedence.
   */
  private pairsOf(map: YAMLMap): readonly Pair[] {
    const known = this.entriesByMap.get(map);
    if (known) return known;
    const merged = map.items.filter(({ key, value }) => isMergeKey(key) && this.mergedBy(value).every(isMap));
    const pairs: Pair[] = map.items.filter((pair) => !merged.includes(pair));
    // The map is registered before it is merged, so that a map that merges itself does not recurse.
    this.entriesByMap.set(map, pairs);
    for (const from of merged.flatMap(({ value }) => this.mergedBy(value)).filter(isMap)) {
      const names = new Set(pairs.map(({ key }) => nameOf(key)));
      pairs.push(...this.pairsOf(from).filter(({ key }) => !names.has(nameOf(key))));
    }
    return pairs;
  }

  private mergedBy(given: unknown): readonly unknown[] {
    const value = this.resolved(given);
    return isSeq(value) ? value.items.map((one) => this.resolved(one)) : [value];
  }

  private resolved(given: unknown): unknown {
    return isAlias(given) ? given.resolve(this.document) : given;
  }

  private textOf(value: unknown): string | null {
    if (isSeq(value)) return JSON.stringify(value.toJS(this.document, { maxAliasCount: 100 }));
    if (!isScalar(value) || value.value === null) return null;
    return typeof value.value === 'string' ? value.value : (value.source ?? String(value.value));
  }
}

const isMergeKey = (key: unknown): boolean => isScalar(key) && key.value === '<<' && key.type === Scalar.PLAIN;

function nameOf(key: unknown): string {
  if (!isScalar(key)) return '';
  return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
}
