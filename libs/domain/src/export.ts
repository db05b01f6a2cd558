export const EXPORT_FORMATS = ['docker', 'dotenv', 'shell'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportLine {
  /** As `exportName` gives it. */
  readonly name: string;
  /** An explicit null is written as nothing. */
  readonly text: string | null;
}

/** Names that every shell and container runtime accepts for a variable (behaviour.md §7.3). */
const VARIABLE = /^[A-Z_][A-Z0-9_]*$/;
/** What a shell leaves alone outside quotes: the characters that Python's `shlex.quote` calls safe. */
const PLAIN_IN_SHELL = /^[A-Za-z0-9_@%+=:,./-]+$/;

/** The name of the environment variable for a parameter; null when there can be none, and the parameter is left out. */
export function exportName(parameter: string): string | null {
  const name = parameter.toUpperCase();
  return VARIABLE.test(name) ? name : null;
}

/**
 * The lines as a file, in the order given. Docker has no way to escape, so a line break in a value breaks the line
 * there; dotenv escapes backslash, quote and line breaks; shell quotes only what needs it.
 */
export function exportBody(
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
