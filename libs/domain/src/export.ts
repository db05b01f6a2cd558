export const EXPORT_FORMATS = ['docker', 'dotenv', 'shell'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

interface ExportLine {
  /** The result of `exportName`. */
  readonly name: string;
  /** An explicit null is written as an empty text. */
  readonly text: string | null;
}

/** The names that shells and container runtimes accept for variables (behaviour.md §7.3). */
const VARIABLE = /^[A-Z_][A-Z0-9_]*$/;
/** The characters that need no quotes in a shell: those that Python's `shlex.quote` considers safe. */
const PLAIN_IN_SHELL = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** Returns the name of a parameter's environment variable, or null if the parameter cannot be exported. */
export function exportName(parameter: string): string | null {
  const name = parameter.toUpperCase();
  return VARIABLE.test(name) ? name : null;
}

/**
 * Returns the content of the file, with the lines in the given order. Docker has no escapes, so a line break in a value
 * breaks the line. The dotenv format escapes backslashes, quotes and line breaks. The shell format quotes a text only
 * if necessary.
 */
export function buildExport(
  lines: readonly ExportLine[],
  format: ExportFormat,
  { explicitExport = false }: { readonly explicitExport?: boolean } = {},
): string {
  const prefix = explicitExport && format !== 'docker' ? 'export ' : '';
  return lines.map(({ name, text }) => `${prefix}${name}=${NOTATION[format](text ?? '')}\n`).join('');
}

const NOTATION: Readonly<Record<ExportFormat, (text: string) => string>> = {
  docker: (text) => text,
  dotenv: (text) => `"${text.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\n').replace(/\r/g, '\\r')}"`,
  shell: (text) => (PLAIN_IN_SHELL.test(text) ? text : `'${text.replaceAll("'", `'"'"'`)}'`),
};
