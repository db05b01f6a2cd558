// Extracts the sentences that people read from files: comments, test titles, pages of the documentation, console text.
import path from 'node:path';

export type TextKind = 'comment' | 'test name' | 'document' | 'console text';

export interface ExtractedText {
  readonly kind: TextKind;
  readonly line: number;
  readonly text: string;
}

/** Returns every text of one file that the language rules apply to. */
export function extractTexts(file: string, content: string): readonly ExtractedText[] {
  if (file.endsWith('.md')) return splitParagraphs(content);
  if (!/\.(tsx?|mjs)$/.test(file)) return [];
  const isConsole = file.startsWith('apps/console/src/');
  return [
    ...listComments(content),
    ...listTestNames(file, content),
    ...(isConsole && !isSpec(file) ? listConsoleTexts(content) : []),
  ];
}

const isSpec = (file: string): boolean => /spec\.ts$/.test(path.basename(file));

/** Returns the paragraphs of a page without code, link targets and quoted wire text. */
function splitParagraphs(content: string): ExtractedText[] {
  const prose = content
    .replace(/^(```|~~~)[\s\S]*?^\1/gm, blankLines)
    .replace(/<[^>]+>/g, blankLines)
    .replace(/`[^`\n]*`/g, '`code`')
    .replace(/\]\([^)]*\)/g, ']');
  return [...prose.matchAll(/[^\n]+(?:\n(?!\s*\n|\s*[-*|#]|\s*\d+\.)[^\n]+)*/g)].map(({ 0: text, index }) => ({
    kind: 'document',
    line: lineAt(prose, index),
    text: text.replace(/^[\s#>*|-]+/, '').replace(/\s+/g, ' '),
  }));
}

/** Replaces a text with blank lines, so that the line numbers of the following text stay the same. */
const blankLines = (text: string): string => text.replace(/[^\n]/g, '');

function listComments(content: string): ExtractedText[] {
  const comments = content.matchAll(
    /(?<=^|\s|\{)\/\*\*?([\s\S]*?)\*\/|(?:^|(?<=[\s;{}]))\/\/ [^\n]*(?:\n[ \t]*\/\/ [^\n]*)*/gm,
  );
  return [...comments].map(({ 0: text, index }) => ({
    kind: 'comment',
    line: lineAt(content, index),
    text: text
      .replace(/^[ \t]*(?:\/\*\*?|\*(?!\/)|\/\/)[ \t]?/gm, '')
      .replace(/\*\/\s*$/, '')
      .replace(/`[^`\n]*`/g, '`code`')
      .replace(/\s+/g, ' ')
      .trim(),
  }));
}

function listTestNames(file: string, content: string): ExtractedText[] {
  if (!isSpec(file)) return [];
  const names = content.matchAll(
    /\b(?:it|test|describe)(?:\.\w+)*(?:\([^()]*\)|`[^`]*`)?\(\s*(['"`])((?:\\.|(?!\1).)*)\1/g,
  );
  return [...names].map(({ 2: text = '', index }) => ({ kind: 'test name', line: lineAt(content, index), text }));
}

/** Returns the text between tags, and strings that contain a space and begin like a sentence or a label. */
function listConsoleTexts(content: string): ExtractedText[] {
  const code = content.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*/g, blankLines);
  const strings = code.matchAll(/(['"`])([A-Z][^'"`\n]* [^'"`\n]*)\1/g);
  const between = code.matchAll(/>([^<>{}]*[A-Za-z][^<>{}]*)</g);
  return [...strings, ...between].map((match) => ({
    kind: 'console text',
    line: lineAt(code, match.index),
    text: (match[2] ?? match[1] ?? '').replace(/\s+/g, ' ').trim(),
  }));
}

const lineAt = (content: string, index: number): number => content.slice(0, index).split('\n').length;
