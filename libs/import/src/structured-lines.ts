import {
  type Alias,
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
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { type EnvProblem, NAMES_MAX, type ReadLines } from './env-lines.ts';
import type { SecretStore, Separator } from './file-formats.ts';
import { type ExportedEntry, exportedEntries, jsonTexts, nameOf } from './secret-stores.ts';

/** The values of a file for one environment; null if the file names no environments. */
export interface ReadPart extends ReadLines {
  readonly environment: string | null;
}

export interface StructuredOptions {
  readonly format: 'JSON' | 'YAML';
  /** The program that wrote the file; null if it is none of the known ones. */
  readonly store: SecretStore | null;
  readonly separator: Separator;
  /** The names of environments. If all top-level names of a file are among them, the file contains a map for each environment. */
  readonly environments: ReadonlySet<string>;
}

/** The maximum depth of nested names. */
const DEPTH_MAX = 32;

/** The maximum number of names, including those of maps. Aliases can repeat maps without values many times. */
const VISITS_MAX = 10 * NAMES_MAX;

/**
 * Reads JSON or YAML. Nested names are joined, and lists become JSON. All other values keep the text in which they are written, so that
 * numbers keep their digits. Errors do not repeat the text, because it may be a secret.
 */
export function structuredParts(source: string, options: StructuredOptions): readonly ReadPart[] {
  // Several calls of `vault kv get` can write into one file.
  if (options.store !== 'Vault' || options.format !== 'JSON') return documentParts(source, 0, options);
  const parts = jsonTexts(source).flatMap(({ text, line }) => documentParts(text, line, options));
  return [...Map.groupBy(parts, ({ environment }) => environment)].map(([environment, inside]) => ({
    environment,
    assignments: inside.flatMap(({ assignments }) => assignments),
    problems: inside.flatMap(({ problems }) => problems),
  }));
}

/** Reads one document, which begins after `linesBefore` lines of the file. */
function documentParts(source: string, linesBefore: number, options: StructuredOptions): readonly ReadPart[] {
  const counter = new LineCounter();
  const document = parseDocument(source, {
    lineCounter: counter,
    uniqueKeys: false,
    prettyErrors: false,
    schema: 'core',
  });
  const lineAt = (offset: number) => linesBefore + counter.linePos(offset).line;
  // Only the first error is reported, because it may cause the others.
  const problems = document.errors.slice(0, 1).map(({ pos: [at] }) => ({
    line: lineAt(at),
    message: `From here on this is not valid ${options.format}.`,
  }));
  const top = document.contents;
  if (problems.length > 0) return [{ environment: null, assignments: [], problems }];
  if (top === null || (isScalar(top) && top.value === null)) return [];
  const targets = targetsOf(document);
  const reader = () => new Reader(targets, lineAt, options.separator);
  const entries = options.store && exportedEntries(top, options.store);
  if (entries) return [reader().partOf(null, entries)];
  if (!isMap(top)) {
    const line = linesBefore + 1;
    return [{ environment: null, assignments: [], problems: [{ line, message: 'Write names with their values.' }] }];
  }
  const parts = environmentsIn(top, options.environments) ?? [{ environment: null, map: top }];
  return parts.map(({ environment, map }) => reader().partOf(environment, map));
}

function environmentsIn(top: YAMLMap, known: ReadonlySet<string>) {
  const parts = top.items.map(({ key, value }) => ({ environment: nameOf(key), map: value }));
  const areAll = parts.every(({ environment, map }) => known.has(environment) && isMap(map));
  if (!areAll || parts.length === 0) return null;
  return parts.flatMap(({ environment, map }) => (isMap(map) ? [{ environment, map }] : []));
}

/** Returns the node to which each alias refers: the last one before it with its name. The parser would visit the document for each. */
function targetsOf(document: Document): ReadonlyMap<Alias, Node> {
  const [targets, anchors] = [new Map<Alias, Node>(), new Map<string, Node>()];
  visit(document, {
    Node(_, node) {
      const target = isAlias(node) ? anchors.get(node.source) : undefined;
      if (isAlias(node) && target) targets.set(node, target);
      else if (!isAlias(node) && node.anchor) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

class Reader {
  private readonly assignments: { readonly line: number; readonly name: string; readonly text: string | null }[] = [];
  private readonly problems: EnvProblem[] = [];
  private visits = 0;

  /** The entries of each map, including merged ones. Each map is resolved only once, because aliases can repeat large maps many times. */
  private readonly entriesByMap = new Map<YAMLMap, readonly Pair[]>();

  constructor(
    /** The nodes to which aliases refer. */
    private readonly targets: ReadonlyMap<Alias, Node>,
    private readonly lineAt: (offset: number) => number,
    private readonly separator: Separator,
  ) {}

  partOf(environment: string | null, from: YAMLMap | readonly ExportedEntry[]): ReadPart {
    if (isMap(from)) this.read(from, []);
    else
      for (const { at, name, value, problem } of from) {
        if (problem === undefined) this.readValue(at, [name], value);
        else this.problems.push({ line: this.lineAt(at), message: problem });
      }
    return { environment, assignments: this.assignments.slice(0, NAMES_MAX + 1), problems: this.problems };
  }

  private read(map: YAMLMap, path: readonly string[]): void {
    for (const { key, value } of this.pairsOf(map)) {
      // Nested maps may be large, too, so each level checks the limit.
      if (this.assignments.length > NAMES_MAX || this.visits > VISITS_MAX) return;
      this.readValue((key as Node).range?.[0] ?? 0, [...path, nameOf(key)], value);
    }
  }

  private readValue(at: number, path: readonly string[], given: unknown): void {
    const line = this.lineAt(at);
    const value = this.resolved(given);
    this.visits += 1;
    if (this.visits > VISITS_MAX) {
      this.problems.push({ line, message: `Its aliases repeat more than ${VISITS_MAX} names.` });
    } else if (path.length > DEPTH_MAX) {
      this.problems.push({ line, message: `It has more than ${DEPTH_MAX} levels.` });
    } else if (value === undefined) {
      this.problems.push({ line, message: 'The alias refers to nothing.' });
    } else if (isSeq(value)) {
      this.readList(line, path, value);
    } else if (isMap(value)) {
      this.read(value, path);
    } else {
      this.assignments.push({ line, name: path.join(this.separator), text: textOf(value) });
    }
  }

  /** Keeps a list as JSON. */
  private readList(line: number, path: readonly string[], list: YAMLSeq): void {
    try {
      const text = JSON.stringify(this.plainOf(list));
      this.assignments.push({ line, name: path.join(this.separator), text });
    } catch {
      this.problems.push({
        line,
        message: 'The aliases of the list are too many, refer to nothing, or contain themselves.',
      });
    }
  }

  /** Throws if an alias refers to nothing, or repeats too much. */
  private plainOf(given: unknown): unknown {
    this.visits += 1;
    const value = this.resolved(given);
    if (value === undefined || this.visits > VISITS_MAX) throw new RangeError();
    if (isSeq(value)) return value.items.map((one) => this.plainOf(one));
    if (isMap(value))
      return Object.fromEntries(value.items.map(({ key, value: inside }) => [nameOf(key), this.plainOf(inside)]));
    return isScalar(value) ? value.value : null;
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
    return isAlias(given) ? this.targets.get(given) : given;
  }
}

const isMergeKey = (key: unknown): boolean => isScalar(key) && key.value === '<<' && key.type === Scalar.PLAIN;

function textOf(value: unknown): string | null {
  if (!isScalar(value) || value.value === null) return null;
  return typeof value.value === 'string' ? value.value : (value.source ?? String(value.value));
}
