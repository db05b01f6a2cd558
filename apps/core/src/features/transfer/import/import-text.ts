import type { ImportRequest } from '@strata/contract';
import {
  asSentence,
  type DotenvEntry,
  dotenvLines,
  Failure,
  nameProblem,
  type Problem,
  type Sentence,
  sentence,
  valueTextProblem,
} from '@strata/domain';
import { EventLoopYielder } from '../../../platform/event-loop-yielder.ts';

/** The maximum number of names. One import is one transaction, and each name writes up to two objects. */
const NAMES_MAX = 2_000;
/** The number of problems in the response. People correct a few lines at a time. */
const PROBLEMS_SHOWN = 20;

/**
 * Returns each name of an import with its last text. If the body cannot be parsed, throws 400 on `body` without quoting
 * any text. A body may have hundreds of thousands of lines, so parsing yields to other requests.
 */
export async function importEntries({ body, ignore }: ImportRequest): Promise<readonly DotenvEntry[]> {
  const { texts, problems } = await readLines(body);
  const ignored = new Set(ignore);
  for (const [name, text] of texts) {
    if (ignored.has(name)) continue;
    const problem = nameProblem(name) ?? valueTextProblem(text);
    if (problem) problems.push(sentence`${{ name: name.slice(0, 64) }}: ${asSentence(problem.message)}`);
  }
  if (problems.length === 0) return [...texts].map(([name, text]) => ({ name, text }));
  throw Failure.fields(
    'invalid_dotenv',
    problems.slice(0, PROBLEMS_SHOWN).map((text): Problem => ({ field: 'body', ...text })),
  );
}

async function readLines(body: string) {
  const texts = new Map<string, string>();
  const problems: Sentence<'line' | 'name'>[] = [];
  const yielder = new EventLoopYielder();
  for (const line of dotenvLines(body)) {
    if (yielder.isDue) await yielder.yield();
    if (!('message' in line)) texts.set(line.name, line.text);
    else if (problems.length < PROBLEMS_SHOWN)
      problems.push(sentence`Line ${{ line: line.line }}: ${asSentence(line.message)}`);
    if (texts.size > NAMES_MAX) {
      const message = sentence`An import can have at most ${{ limit: NAMES_MAX }} names. Import the rest separately.`;
      throw Failure.field('too_much_to_import', 'body', message);
    }
  }
  return { texts, problems };
}
