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
import { type ExportedEntry, formatName, readExportedEntries } from './secret-stores.ts';
import { jsonTexts } from './signatures.ts';

/** The values of a file for one environment; null if the file names no environments. */
export interface ParsedValues extends ReadLines {
  readonly environment: string | null;
  /** If only some top-level keys are names of environments: the other ones. */
  readonly otherKeys?: readonly string[];
}

export interface StructuredOptions {
  readonly format: 'JSON' | 'YAML';
  /** The program that wrote the file; null if it is none of the known ones. */
  readonly program: SecretStore | 'Consul' | null;
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
export function structuredParts(text: string, options: StructuredOptions): readonly ParsedValues[] {
  // A carriage return alone is a line break in YAML, and invalid in a text of JSON. The library reads it as a character.
  const source = text.replace(/\r\n?/g, '\n');
  // Several calls of `vault kv get` can write into one file.
  if (options.program !== 'Vault' || options.format !== 'JSON') return documentParts(source, 0, options);
  const parts = jsonTexts(source).flatMap(({ text, line }) => documentParts(text, line, options));
  return [...Map.groupBy(parts, ({ environment }) => environment)].map(([environment, environmentParts]) => ({
    environment,
    assignments: environmentParts.flatMap(({ assignments }) => assignments),
    problems: environmentParts.flatMap(({ problems }) => problems),
    skipped: environmentParts.flatMap(({ skipped = [] }) => skipped),
  }));
}

/** Reads one document, which begins after `linesBefore` lines of the file. */
function documentParts(source: string, linesBefore: number, options: StructuredOptions): readonly ParsedValues[] {
  const counter = new LineCounter();
  const document = parseDocument(source, {
    lineCounter: counter,
    uniqueKeys: false,
    prettyErrors: false,
    schema: 'core',
    resolveKnownTags: false,
  });
  const lineAt = (offset: number) => linesBefore + counter.linePos(offset).line;
  // Only the first error is reported, because it may cause the others.
  const problems = [...document.errors, ...document.warnings].slice(0, 1).map(({ code, pos: [at] }) => ({
    line: lineAt(at),
    message: MESSAGES[code] ?? `From here on this is not valid ${options.format}.`,
  }));
  const top = document.contents;
  if (problems.length > 0) return [{ environment: null, assignments: [], problems }];
  if (top === null || (isScalar(top) && top.value === null)) return [];
  const targets = resolveAliases(document);
  const reader = () => new Reader(targets, lineAt, options.separator);
  const entries = options.program && readExportedEntries(top, options.program, options.separator);
  if (entries) return [reader().readPart(null, entries)];
  if (!isMap(top)) {
    const line = linesBefore + 1;
    return [
      {
        environment: null,
        assignments: [],
        problems: [{ line, message: isSeq(top) ? LIST : 'Write names with their values.' }],
      },
    ];
  }
  const parts = environmentsIn(top, options.environments);
  if (parts) return parts.map(({ environment, map }) => reader().readPart(environment, map));
  return [{ ...reader().readPart(null, top), otherKeys: otherKeys(top, options.environments) }];
}

const MESSAGES: Readonly<Partial<Record<string, string>>> = {
  MULTIPLE_DOCS:
    'Another YAML document begins here. Write each document into one file, and import the one that you need.',
  TAG_RESOLVE_FAILED: 'Strata does not resolve this tag of YAML. Write the value without a tag.',
};
const LIST = 'This is a list in no format that Strata knows. Write names with their values.';

/** Returns the top-level keys besides those of environments, if there are some of both. */
function otherKeys({ items }: YAMLMap, environments: ReadonlySet<string>): readonly string[] {
  const isOfEnvironment = ({ key, value }: Pair) => environments.has(formatName(key)) && isMap(value);
  const otherNames = items.filter((pair) => !isOfEnvironment(pair)).map(({ key }) => formatName(key));
  return otherNames.length === items.length ? [] : otherNames;
}

function environmentsIn(top: YAMLMap, environmentNames: ReadonlySet<string>) {
  const parts = top.items.map(({ key, value }) => ({ environment: formatName(key), map: value }));
  const areAll = parts.every(({ environment, map }) => environmentNames.has(environment) && isMap(map));
  if (!areAll || parts.length === 0) return null;
  return parts.flatMap(({ environment, map }) => (isMap(map) ? [{ environment, map }] : []));
}

/** Returns the node to which each alias refers: the last one before it with its name. The parser would visit the document for each. */
function resolveAliases(document: Document): ReadonlyMap<Alias, Node> {
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

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
const LIST_OF_ALIASES = 'The aliases of the list are too many, refer to nothing, or contain themselves.';

/** A value in a list that has no form in JSON. */
class NotInJsonError extends Error {}

class Reader {
  private readonly assignments: { readonly line: number; readonly name: string; readonly text: string | null }[] = [];
  private readonly problems: EnvProblem[] = [];
  private readonly skipped: EnvProblem[] = [];
  private visits = 0;

  /** The entries of each map, including merged ones. Each map is resolved only once, because aliases can repeat large maps many times. */
  private readonly entriesByMap = new Map<YAMLMap, readonly Pair[]>();

  constructor(
    /** The nodes to which aliases refer. */
    private readonly targets: ReadonlyMap<Alias, Node>,
    private readonly lineAt: (offset: number) => number,
    private readonly separator: Separator,
  ) {}

  readPart(environment: string | null, from: YAMLMap | readonly ExportedEntry[]): ParsedValues {
    if (isMap(from)) this.read(from, []);
    else
      for (const { at, name, value, problem, skipped } of from) {
        const line = this.lineAt(at);
        if (problem !== undefined) this.problems.push({ line, message: problem });
        else if (skipped !== undefined) this.skipped.push({ line, message: skipped });
        else this.readValue(at, [name], value);
      }
    const { problems, skipped } = this;
    return { environment, assignments: this.assignments.slice(0, NAMES_MAX + 1), problems, skipped };
  }

  private read(map: YAMLMap, path: readonly string[]): void {
    for (const { key, value } of this.effectivePairs(map)) {
      // Nested maps may be large, too, so each level checks the limit.
      if (this.assignments.length > NAMES_MAX || this.visits > VISITS_MAX) return;
      this.readValue((key as Node).range?.[0] ?? 0, [...path, formatName(key)], value);
    }
  }

  private readValue(at: number, path: readonly string[], node: unknown): void {
    const line = this.lineAt(at);
    const value = this.resolved(node);
    this.visits += 1;
    if (this.visits > VISITS_MAX) {
      this.problems.push({ line, message: `Its aliases repeat more than ${VISITS_MAX} names.` });
    } else if (path.length > DEPTH_MAX) {
      this.problems.push({ line, message: `It has more than ${DEPTH_MAX} levels.` });
    } else if (value === undefined) {
      this.problems.push({ line, message: 'The alias refers to nothing.' });
    } else if (isSeq(value)) {
      this.readList(line, path, value);
    } else if (isMap(value) && this.effectivePairs(value).length > 0) {
      this.read(value, path);
    } else if (isMap(value)) {
      this.assignments.push({ line, name: path.join(this.separator), text: '{}' });
    } else {
      this.assignments.push({ line, name: path.join(this.separator), text: scalarText(value) });
    }
  }

  /** Keeps a list as JSON. */
  private readList(line: number, path: readonly string[], list: YAMLSeq): void {
    try {
      this.assignments.push({ line, name: path.join(this.separator), text: this.toJson(list) });
    } catch (error) {
      const isOfNumber = error instanceof NotInJsonError;
      this.problems.push({ line, message: isOfNumber ? error.message : LIST_OF_ALIASES });
    }
  }

  /**
   * Returns a node as JSON, with numbers as they are written. Throws if an alias refers to nothing, or repeats too much, and for what JSON
   * cannot express.
   */
  private toJson(node: unknown): string {
    this.visits += 1;
    const value = this.resolved(node);
    if (value === undefined || this.visits > VISITS_MAX) throw new RangeError();
    if (isSeq(value)) return `[${value.items.map((item) => this.toJson(item)).join(',')}]`;
    if (isMap(value)) {
      const pairs = this.effectivePairs(value).map(
        ({ key, value: environmentParts }) => [formatName(key), this.toJson(environmentParts)] as const,
      );
      if (new Set(pairs.map(([name]) => name)).size < pairs.length)
        throw new NotInJsonError('A map in the list has the same name twice. Remove one of them.');
      return `{${pairs.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`;
    }
    if (!isScalar(value)) return 'null';
    if (typeof value.value !== 'number') return JSON.stringify(value.value);
    if (value.source !== undefined && JSON_NUMBER.test(value.source)) return value.source;
    throw new NotInJsonError('JSON cannot express a number of the list. Write it in quotes.');
  }

  /**
   * Returns the entries of a map, followed by the entries of its merged maps (`<<: *defaults`) that have other names. Earlier merged maps
   * take precedence.
   */
  private effectivePairs(map: YAMLMap): readonly Pair[] {
    const cachedEntries = this.entriesByMap.get(map);
    if (cachedEntries) return cachedEntries;
    const mergedMaps = map.items.filter(({ key, value }) => isMergeKey(key) && this.mergedBy(value).every(isMap));
    const pairs: Pair[] = map.items.filter((pair) => !mergedMaps.includes(pair));
    // The map is registered before it is merged, so that a map that merges itself does not recurse.
    this.entriesByMap.set(map, pairs);
    for (const from of mergedMaps.flatMap(({ value }) => this.mergedBy(value)).filter(isMap)) {
      const names = new Set(pairs.map(({ key }) => formatName(key)));
      pairs.push(...this.effectivePairs(from).filter(({ key }) => !names.has(formatName(key))));
    }
    return pairs;
  }

  private mergedBy(node: unknown): readonly unknown[] {
    const value = this.resolved(node);
    return isSeq(value) ? value.items.map((item) => this.resolved(item)) : [value];
  }

  private resolved(node: unknown): unknown {
    return isAlias(node) ? this.targets.get(node) : node;
  }
}

const isMergeKey = (key: unknown): boolean => isScalar(key) && key.value === '<<' && key.type === Scalar.PLAIN;

function scalarText(value: unknown): string | null {
  if (!isScalar(value) || value.value === null) return null;
  return typeof value.value === 'string' ? value.value : (value.source ?? String(value.value));
}
