import { type BaseType, inferType } from '@strata/domain';
import { type EnvLine, secretReason } from './env-lines.ts';
import type { ImportLine } from './import-lines.ts';

/** The types other than `string` of the parameters that lines create, by name. */
export type InferredTypes = ReadonlyMap<string, BaseType>;

/** Returns the types of new parameters, if all texts of a name agree. Secrets, references and nulls say nothing about a type. */
export function inferTypes<Line extends Pick<EnvLine, 'name' | 'text'>>(
  lines: readonly Line[],
  isOmitted: (line: Line) => boolean,
): InferredTypes {
  const types = new Map<string, BaseType>();
  for (const line of lines) {
    const type = line.text === null || isOmitted(line) ? 'string' : inferType(line.text);
    types.set(line.name, (types.get(line.name) ?? type) === type ? type : 'string');
  }
  return new Map([...types].filter(([, type]) => type !== 'string'));
}

/** Returns the types of the parameters that an import creates. */
export function inferImportedTypes(lines: readonly (readonly ImportLine[])[]): InferredTypes {
  const texts = lines.flat().flatMap(({ line, isNew, effect, isSecret, dynamicText }) => {
    const { name, text } = line;
    return isNew && effect !== 'replaced' ? [{ name, text, saysNothing: isSecret || dynamicText !== null }] : [];
  });
  return inferTypes(texts, ({ saysNothing }) => saysNothing);
}

/** The names that a sentence lists before it counts the others. */
const NAMED_MAX = 5;

/** Lists the types that were inferred, as in `Integer: PORT, RETRIES. Boolean: DEBUG.`; empty if there is none. */
export function describeTypes(types: InferredTypes): string {
  const sentence = (type: BaseType, word: string) => {
    const names = [...types].flatMap(([name, parameterType]) => (parameterType === type ? [name] : []));
    return names.length === 0 ? [] : [`${word}: ${shortList(names)}.`];
  };
  return [...sentence('integer', 'Integer'), ...sentence('boolean', 'Boolean')].join(' ');
}

/** Lists the secret names with the reasons, as in `Secret: TOKEN (named like a credential).`; empty if there is none. */
export function describeSecrets(lines: readonly EnvLine[], secrets: ReadonlySet<string>): string {
  const secretLines = lines.filter(({ name }) => secrets.has(name));
  if (secretLines.length === 0) return '';
  const reason = ({ looks }: EnvLine) => (looks === null ? 'refers to a secret' : secretReason(looks));
  return `Secret: ${shortList(secretLines.map((line) => `${line.name} (${reason(line)})`))}.`;
}

const shortList = (names: readonly string[]): string =>
  names.length > NAMED_MAX + 1
    ? `${names.slice(0, NAMED_MAX).join(', ')} and ${(names.length - NAMED_MAX).toLocaleString('en')} more`
    : names.join(', ');
