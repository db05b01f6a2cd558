// Finds the citations of documents, decisions and codes of refusals in a text, and says which of them lead nowhere.
import fs from 'node:fs';
import path from 'node:path';

/** The texts that can be cited, by the name under which they are cited. */
export interface Citable {
  /** Markdown pages by their file name, such as `behaviour.md`. */
  readonly pages: ReadonlyMap<string, Page>;
  /** Numbers of decisions: `0016`. */
  readonly decisions: ReadonlySet<string>;
  /** Codes of refusals: `E41a`. */
  readonly refusals: ReadonlySet<string>;
  /** Codes of worked examples: `H7`. */
  readonly examples: ReadonlySet<string>;
}

/** The numbers of a page's sections, each with the numbers of the items listed in it. */
interface Page {
  readonly sections: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Reads what the pages below docs/, and the README, have to be cited. */
export function citableIn(root: string): Citable {
  const docs = fs.readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const files = ['README.md', ...docs.filter((file) => file.endsWith('.md')).map((file) => path.join('docs', file))];
  const texts = new Map(files.map((file) => [path.basename(file), fs.readFileSync(path.join(root, file), 'utf8')]));
  const found = (name: string, pattern: RegExp) =>
    new Set([...(texts.get(name) ?? '').matchAll(pattern)].map(([, code = '']) => code));
  return {
    pages: new Map([...texts].map(([name, text]) => [name, pageOf(text)])),
    decisions: new Set(docs.flatMap((file) => /^adr\/(\d{4})-/.exec(file)?.[1] ?? [])),
    refusals: found('errors.md', /^\| (E\d+[ab]?) \|/gm),
    examples: found('domain.md', /^### (H\d+) /gm),
  };
}

function pageOf(text: string): Page {
  const sections = new Map<string, Set<string>>();
  let current = new Set<string>();
  for (const line of text.split('\n')) {
    const section = /^##+ (\d+(?:\.\d+)*)\.? /.exec(line)?.[1];
    if (section !== undefined) {
      current = new Set();
      sections.set(section, current);
    }
    const item = /^(\d+)\. /.exec(line)?.[1];
    if (item !== undefined) current.add(item);
  }
  return { sections };
}

const PAGE = String.raw`(?<page>[\w-]+\.md)\b`;
const SECTION = String.raw`§(?<section>\d+(?:\.\d+)*)(?: rules? (?<from>\d+)(?: (?:to|and) (?<to>\d+))?)?`;
const CITATION = new RegExp(
  `${PAGE}|${SECTION}|\\bADRs? (?<decision>\\d{4})\\b|\\b(?<refusal>E\\d{1,3}[abc]?)\\b|\\b(?<example>H\\d{1,2})\\b`,
  'g',
);

/**
 * The citations of a text that lead nowhere. A section belongs to the page that was named last before it; `home` is the
 * page that the text is itself, if it is one.
 */
export function danglingCitations(text: string, citable: Citable, projectName?: string): string[] {
  let page = projectName;
  return [...text.matchAll(CITATION)].flatMap(({ 0: cited, groups = {} }) => {
    if (groups.page !== undefined && mayHaveSections(groups.page, citable)) page = groups.page;
    if (leads(groups, citable, page)) return [];
    return [groups.section === undefined ? cited : `${page ?? 'no page'} ${cited}`];
  });
}

/** A page without numbered sections, a decision for example, is not what the next section belongs to. */
function mayHaveSections(page: string, { pages }: Citable): boolean {
  return pages.get(page)?.sections.size !== 0;
}

function leads(
  cited: Readonly<Record<string, string | undefined>>,
  citable: Citable,
  page: string | undefined,
): boolean {
  const { decision, refusal, example, section, from, to } = cited;
  if (cited.page !== undefined) return citable.pages.has(cited.page);
  if (decision !== undefined) return citable.decisions.has(decision);
  if (example !== undefined) return citable.examples.has(example);
  if (refusal !== undefined) return citable.refusals.has(refusal) || citable.refusals.has(`${refusal}a`);
  const { sections } = citable.pages.get(page ?? '') ?? {};
  if (sections === undefined || section === undefined) return false;
  const items = sections.get(section);
  if (items !== undefined) return [from, to].every((item) => item === undefined || items.has(item));
  // `domain.md §2.6` is the sixth item of section 2.
  const [, parent = '', item = ''] = /^(.*)\.(\d+)$/.exec(section) ?? [];
  return from === undefined && (sections.get(parent)?.has(item) ?? false);
}

const ONLY_CITATIONS =
  /(?:\/\*\*?|\/\/)\s*(?:(?:of |and |to )?(?:[\w-]+\.md|§[\d.]*\d|rules? \d+|ADR \d+|[EH]\d+[abc]?)[\s,.:;]*)+(?:\*\/|$)/gm;

/** Comments that say nothing but where something else is said. */
export function bareCitations(text: string): string[] {
  return [...text.matchAll(ONLY_CITATIONS)].map(([comment]) => comment.trim());
}
