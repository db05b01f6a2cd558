/** The texts of a rectangle of cells, row by row. */
export type TextBlock = readonly (readonly string[])[];

/** Formats cells for spreadsheets: tabs between columns, line breaks between rows, and quotes around texts that contain one of them. */
export const toTsv = (rows: TextBlock): string => rows.map((cells) => cells.map(quoted).join('\t')).join('\n');

const quoted = (text: string): string => (/[\t\n\r"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A cell, with the separator that follows it. Quotes that do not enclose the whole text have no meaning. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^\t\r\n]*))(\t|\r\n|\n|\r|$)/y;

/** Parses the text that a spreadsheet copies. A line break at the end is not a row. */
export function parseTsv(text: string): TextBlock {
  const rows: string[][] = [[]];
  for (let at = 0; ; ) {
    CELL.lastIndex = at;
    const [cellText = '', inQuotes, plainText = '', end = ''] = CELL.exec(text) ?? [];
    rows.at(-1)?.push(inQuotes?.replaceAll('""', '"') ?? plainText);
    at += cellText.length;
    if (end === '' || (end !== '\t' && at === text.length)) return rows;
    if (end !== '\t') rows.push([]);
  }
}

/**
 * Returns the cells of a pasted text. A certificate, a key or a JSON document is one value, although it has several lines.
 */
export function parseTextBlock(text: string): TextBlock {
  return isDocument(text) ? [[text]] : parseTsv(text);
}

function isDocument(text: string): boolean {
  if (/^\s*-----BEGIN /.test(text)) return true;
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
