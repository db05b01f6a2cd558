import type { Statement } from './prepared-client.ts';

/**
 * Statements that write, as one: they cost one journey through parser, executor and socket instead of one each. All take the
 * same $1, none begins with `with`, and none sees what the others write.
 */
export function asOneStatement(statements: readonly [Statement, ...Statement[]]): Statement {
  const [
    {
      values: [first],
    },
  ] = statements;
  const values: unknown[] = [first];
  const texts = statements.map(({ text, values: [, ...more] }) => {
    const offset = values.length - 1;
    values.push(...more);
    return text.replace(PARAMETER, (_, number: string) => (number === '1' ? '$1' : `$${Number(number) + offset}`));
  });
  const last = texts.pop();
  const others = texts.map((text, index) => `part${index} as (${text})`);
  return { text: others.length === 0 ? `${last}` : `with ${others.join(',\n')}\n${last}`, values };
}

const PARAMETER = /\$(\d+)/g;
