import { parentPort, workerData } from 'node:worker_threads';
import type { Path } from '@strata/domain';
import { analyzeSync, Liquid, type LiquidError, type Template, type Variable } from 'liquidjs';
import {
  type Entries,
  type JobMessage,
  type JobOutcome,
  type ProblemCode,
  type ScopeMessage,
  type Task,
  type TemplateProblem,
  TOO_LONG_TOGETHER,
  type WorkerLimits,
} from './jobs.ts';
import { type PathAtOffset, renamePath, withProjectsRenamed } from './rename-projects.ts';

// Runs in a separate thread, which is killed if it takes too long. The thread has no environment variables, no
// database, and no secrets except those that a text refers to. A malicious text can therefore only affect this thread.

const limits = workerData as WorkerLimits;

/** The allowed tags and filters. None of them reads files, the clock or random numbers, or evaluates text as code. */
const TAGS = new Set(
  'assign capture case comment cycle decrement echo for if increment liquid raw unless break continue #'.split(' '),
);
const FILTERS = new Set(
  `abs append array_to_sentence_string at_least at_most base64_decode base64_encode capitalize ceil cgi_escape compact
  concat default divided_by downcase escape escape_once find find_index first floor group_by has hmac_sha256 inspect
  join json jsonify last lstrip map minus modulo newline_to_br normalize_whitespace number_of_words plus pop prepend
  push raw reject remove remove_first remove_last replace replace_first replace_last reverse round rstrip sha256 shift
  size slice slugify sort sort_natural split squish strip strip_newlines sum times to_integer truncate truncatewords
  uniq unshift upcase uri_escape url_decode url_encode where xml_escape`.split(/\s+/),
);

const engine = new Liquid({
  ownPropertyOnly: true,
  strictFilters: true,
  templates: {},
  parseLimit: limits.textLength * 2,
  renderLimit: limits.renderMs,
  memoryLimit: limits.memoryUnits,
});
for (const tag of Object.keys(engine.tags)) if (!TAGS.has(tag)) delete engine.tags[tag];
for (const filter of Object.keys(engine.filters)) if (!FILTERS.has(filter)) delete engine.filters[filter];

class UnknownNameError extends Error {}

/** Caches parsed texts. Parsing costs more than rendering, and each read renders the same texts again. */
const PARSED_MAX = 200;
const parsed = new Map<string, Template[]>();

function parse(text: string): Template[] {
  const cachedTemplate = parsed.get(text);
  if (cachedTemplate) return cachedTemplate;
  const templates = engine.parse(text);
  if (parsed.size >= PARSED_MAX) parsed.clear();
  if (text.length <= limits.textLength / 8) parsed.set(text, templates);
  return templates;
}

function pathsWithPositions(text: string): readonly PathAtOffset[] {
  const { globals } = analyzeSync(parse(text), { partials: false });
  const lines = lineStarts(text);
  return Object.values(globals)
    .flat()
    .map(({ segments, location }: Variable) => ({
      path: segments.map((segment) => (typeof segment === 'string' || typeof segment === 'number' ? segment : null)),
      at: (lines[location.row - 1] ?? 0) + location.col - 1,
    }));
}

function pathsIn(text: string): readonly Path[] {
  return pathsWithPositions(text).map(({ path }) => path);
}

/** Returns the offset of each line. */
function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/**
 * Returns the text with its project names replaced. Fails if the result does not refer to exactly the expected names.
 */
function rename(text: string, entries: Entries<string>): JobOutcome {
  const names = new Map(entries);
  const paths = pathsWithPositions(text);
  const renamedText = withProjectsRenamed(text, paths, names);
  const requestedPaths = paths.map(({ path }) => renamePath(path, names));
  if (JSON.stringify(pathsIn(renamedText)) === JSON.stringify(requestedPaths)) return { text: renamedText };
  return { code: 'syntax', problem: 'The name of a project cannot be replaced in this text.' };
}

/**
 * Returns an object without a prototype that iterates in the given order, while engines put names such as `10` first.
 * Unknown names are errors, even if the text computes them while it runs.
 */
function members<T>(entries: Entries<T>, noun: string): object {
  const object: Record<PropertyKey, unknown> = Object.create(null);
  for (const [name, value] of entries) object[name] = value;
  Object.defineProperty(object, Symbol.iterator, { value: () => entries.map(([...pair]) => pair)[Symbol.iterator]() });
  return new Proxy(object, {
    getOwnPropertyDescriptor(target, key) {
      const property = Reflect.getOwnPropertyDescriptor(target, key);
      if (!property && typeof key === 'string' && key !== 'size')
        throw new UnknownNameError(`A name that is computed here belongs to no ${noun}.`);
      return property;
    },
  });
}

function render(text: string, scope: ScopeMessage): string {
  const { project, environment, self, parameters, templates, projects } = scope;
  const otherProjects = projects.map(
    ([name, otherProject]) =>
      [
        name,
        Object.assign(Object.create(null), {
          parameters: members(otherProject.parameters, 'parameter'),
          templates: members(otherProject.templates, 'template'),
        }) as object,
      ] as const,
  );
  const ownScope: object = Object.assign(Object.create(null), {
    project,
    environment,
    self,
    parameters: members(parameters, 'parameter'),
    templates: members(templates, 'template'),
    projects: members(otherProjects, 'project'),
  });
  const visibleMembers: Record<string, unknown> = Object.create(null);
  for (const [name, value] of parameters) visibleMembers[name] = value;
  const output: string = engine.renderSync(
    parse(text),
    Object.assign(visibleMembers, { strata: ownScope, cloudtruth: ownScope }),
  );
  if (output.length > limits.outputLength) {
    throw new RangeError(`output is longer than ${limits.outputLength} characters`);
  }
  return output;
}

function runTask(task: Task): JobOutcome {
  try {
    switch (task.do) {
      case 'parse':
        return { paths: pathsIn(task.text) };
      case 'rename':
        return rename(task.text, task.names);
      case 'render':
        return { text: render(task.text, task.scope) };
    }
  } catch (error) {
    return toProblem(error as EngineError);
  }
}

/** An error of the engine, or one that ended it. */
type EngineError = Error & Partial<Pick<LiquidError, 'token'>> & { readonly originalError?: Error };

/** Replaces the messages of the engine, because they may quote the inputs of a text. */
function toProblem(error: EngineError): JobOutcome {
  const cause = error.originalError ?? error;
  const [line = 1, column = 1] = error.token?.getPosition() ?? [];
  const describe = (code: ProblemCode, text: string): TemplateProblem => ({
    code,
    problem: `${text} (line ${line}, column ${column})${cause instanceof UnknownNameError ? '' : '.'}`,
    params: { line, column },
  });
  if (cause instanceof UnknownNameError) return describe('unknown_name', cause.message);
  if (cause instanceof RangeError || /limit exceeded/.test(cause.message)) {
    return describe('too_costly', 'The text takes too much time or memory, or is too long once evaluated');
  }
  if (/^undefined filter/.test(cause.message)) return describe('syntax', 'There is no such filter');
  if (error.name === 'ParseError' || error.name === 'TokenizationError') {
    return describe('syntax', `The text is not well formed: ${error.message.replace(/, line:.*$/s, '')}`);
  }
  return describe('evaluation', 'The text cannot be evaluated');
}

parentPort?.on('message', ({ tasks, lengthMax }: JobMessage) => {
  let left = lengthMax;
  for (const task of tasks) {
    let outcome = runTask(task);
    if ('text' in outcome) {
      left -= outcome.text.length;
      if (left < 0) outcome = TOO_LONG_TOGETHER;
    }
    parentPort?.postMessage(outcome);
    if ('code' in outcome && outcome.code === 'too_costly') return;
  }
});

parentPort?.postMessage('ready');
