import type { Path } from '@strata/domain';

/** A name in a text, with its offset. */
export interface PathAtOffset {
  readonly path: Path;
  readonly at: number;
}

const PROJECT = /\w+(?:\s*\.\s*projects|\s*\[\s*(?:"projects"|'projects')\s*\])(\s*\.\s*[\w-]+\??|\s*\[[^\]]*\])/y;
const QUOTED_PROJECT =
  /\w+(?:\s*\.\s*projects|\s*\[\s*(?:"projects"|'projects')\s*\])(\s*\[\s*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')\s*\])/y;
const PLAIN_NAME = /^[A-Za-z_](?:[A-Za-z0-9_-]*[A-Za-z0-9_])?$/;

/** Returns `.shop`, or `["my shop"]` for a name that is not an identifier of the language. */
function memberNamed(name: string): string {
  if (PLAIN_NAME.test(name)) return `.${name}`;
  if (!/["\\]/.test(name)) return `["${name}"]`;
  if (!/['\\]/.test(name)) return `['${name}']`;
  return `["${name.replace(/["\\]/g, (char) => `\\${char}`)}"]`;
}

/** Returns a path with the project renamed. */
export function renamePath(path: Path, names: ReadonlyMap<string, string>): Path {
  const [root, member, project, ...restPath] = path;
  const name = member === 'projects' && typeof project === 'string' ? names.get(project) : undefined;
  return name === undefined || root === undefined ? path : [root, member as string, name, ...restPath];
}

/**
 * Replaces project names in paths only, not in raw blocks or quoted text. The caller has to verify the names that the
 * new text refers to.
 */
export function withProjectsRenamed(
  text: string,
  paths: readonly PathAtOffset[],
  names: ReadonlyMap<string, string>,
): string {
  let renamedText = text;
  for (const { path, at } of [...paths].sort((left, right) => right.at - left.at)) {
    const name = path[1] === 'projects' ? names.get(String(path[2])) : undefined;
    if (name === undefined) continue;
    const match = matchAt(QUOTED_PROJECT, text, at) ?? matchAt(PROJECT, text, at);
    const member = match?.[1];
    if (!match || member === undefined) continue;
    const end = at + match[0].length;
    renamedText = renamedText.slice(0, end - member.length) + memberNamed(name) + renamedText.slice(end);
  }
  return renamedText;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
