import type { ImportRequest } from '@strata/contract';
import { type DotenvEntry, Failure, nameProblem, type Problem, parseDotenv, valueTextProblem } from '@strata/domain';

/** One import is one transaction, and every name of it up to two objects. */
const NAMES_MAX = 2_000;
/** A person corrects a few lines at a time. */
const PROBLEMS_SHOWN = 20;

/** The assignments of an import; throws 400 on `body` for what cannot be read, without repeating any text. */
export function importEntries({ body, ignore }: ImportRequest): readonly DotenvEntry[] {
  const { entries, problems } = parseDotenv(body, NAMES_MAX);
  const found = problems.map(({ line, message }) => `Line ${line}: ${message}`);
  if (entries.length > NAMES_MAX) {
    const message = `An import has at most ${NAMES_MAX} names, and this one has more. Import it in parts.`;
    throw Failure.field('too_much_to_import', 'body', message);
  }
  const ignored = new Set(ignore);
  for (const { name, text } of entries) {
    if (ignored.has(name)) continue;
    const problem = nameProblem(name) ?? valueTextProblem(text);
    if (problem) found.push(`${name.slice(0, 64)}: ${problem.message}`);
  }
  if (found.length === 0) return entries;
  throw Failure.fields(
    'invalid_dotenv',
    found.slice(0, PROBLEMS_SHOWN).map((message): Problem => ({ field: 'body', message })),
  );
}
