// Finds citations of documents, decisions and error codes in a text, and reports those whose target does not exist.
import fs from 'node:fs';
import path from 'node:path';

/** The possible targets of citations, by the name under which they are cited. */
export interface Citable {
  /** The Markdown pages by file name, such as `behaviour.md`. */
  readonly pages: ReadonlyMap<string, Page>;
  /** The numbers of decisions, such as `0016`. */
  readonly decisions: ReadonlySet<string>;
  /** The error codes, such as `E41a`. */
  readonly errors: ReadonlySet<string>;
  /** The codes of worked examples, such as `H7`. */
  readonly examples: ReadonlySet<string>;
}

/** The sections of a page by number, each with the numbers of its list items. */
interface Page {
  readonly sections: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Returns the possible targets in the README, the changelog and the pages below docs/. */
export function collectCitable(root: string): Citable {
  const docs = fs.readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const files = [
    'README.md',
    'CHANGELOG.md',
    ...docs.filter((file) => file.endsWith('.md')).map((file) => path.join('docs', file)),
  ];
  const texts = new Map(files.map((file) => [path.basename(file), fs.readFileSync(path.join(root, file), 'utf8')]));
  const findCodes = (name: string, pattern: RegExp) =>
    new Set([...(texts.get(name) ?? '').matchAll(pattern)].map(([, code = '']) => code));
  return {
    pages: new Map([...texts].map(([name, text]) => [name, parsePage(text)])),
    decisions: new Set(docs.flatMap((file) => /^adr\/(\d{4})-/.exec(file)?.[1] ?? [])),
    errors: findCodes('errors.md', /^\| (E\d+[ab]?) \|/gm),
    examples: findCodes('domain.md', /^### (H\d+) /gm),
  };
}

function parsePage(text: string): Page {
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
  `${PAGE}|${SECTION}|\\bADRs? (?<decision>\\d{4})\\b|(?<!%)\\b(?<errorNumber>E\\d{1,3}[abc]?)\\b|\\b(?<example>H\\d{1,2})\\b`,
  'g',
);

/**
 * Returns the citations of a text whose target does not exist. A section belongs to the page that was named last before
 * it. `projectName` is the page to assume before any other is named.
 */
export function danglingCitations(text: string, citable: Citable, projectName?: string): string[] {
  let page = projectName;
  return [...text.matchAll(CITATION)].flatMap(({ 0: citedText, groups = {} }) => {
    if (groups.page !== undefined && mayHaveSections(groups.page, citable)) page = groups.page;
    if (leads(groups, citable, page)) return [];
    return [groups.section === undefined ? citedText : `${page ?? 'no page'} ${citedText}`];
  });
}

/**
 * Returns whether a following section can belong to a page. A page without numbered sections, such as a decision, has
 * none.
 */
function mayHaveSections(page: string, { pages }: Citable): boolean {
  return pages.get(page)?.sections.size !== 0;
}

function leads(
  citedParts: Readonly<Record<string, string | undefined>>,
  citable: Citable,
  page: string | undefined,
): boolean {
  const { decision, errorNumber, example, section, from, to } = citedParts;
  if (citedParts.page !== undefined) return citable.pages.has(citedParts.page);
  if (decision !== undefined) return citable.decisions.has(decision);
  if (example !== undefined) return citable.examples.has(example);
  if (errorNumber !== undefined) return citable.errors.has(errorNumber) || citable.errors.has(`${errorNumber}a`);
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

/** Returns the comments that consist of citations only. */
export function bareCitations(text: string): string[] {
  return [...text.matchAll(ONLY_CITATIONS)].map(([comment]) => comment.trim());
}

/** An italic note below the title says which later decision replaces a part of a page. */
const REPLACED = /^# .*\n\n\*[^*]/;

/** Returns the members, such as `Ledger.append`, that a decision names although the sources do not declare them. */
export function findMissingMembers(decision: string, sourceText: string): string[] {
  if (REPLACED.test(decision)) return [];
  return [...decision.matchAll(/`(?<type>[A-Z]\w*[a-z]\w*)\.(?<member>[a-z]\w*)(?:\(\))?`/g)].flatMap(
    ({ 0: citedText, groups: { type, member } = {} }) =>
      new RegExp(`\\b(?:class|interface|type|const) ${type}\\b`).test(sourceText) &&
      new RegExp(`\\b${member}\\b`).test(sourceText)
        ? []
        : [citedText],
  );
}
