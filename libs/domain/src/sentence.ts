/** A name, a number or a list of names in a sentence. */
export type ParamValue = string | number | readonly string[];
export type Params = Readonly<Record<string, ParamValue>>;

/**
 * A sentence for people, and the names and numbers in it for programs. `params` never contains more than the sentence
 * shows. The template below guarantees that. Only a text that shows a value in another form, such as a shortened list,
 * states its `params` itself.
 */
export interface Sentence<Name extends string = string> {
  readonly message: string;
  readonly params: Params;
  /** Only for the compiler, which compares the names with those that the error code declares. */
  readonly paramNames?: Name;
}

/**
 * A sentence, or a text without values. A computed text is not assignable, because its values would not be params: write
 * it with the template below.
 */
export type FixedText<Text> = Text extends string
  ? Record<never, never> extends Record<Text, true>
    ? never
    : Text
  : Text;

type NamesIn<Part> = Part extends Sentence<infer Name> ? Name : keyof Part & string;

/**
 * Creates a sentence from a template whose expressions name their value: `` sentence`There is no tag ${{ tag }}.` ``. An
 * expression can also be a sentence. A list is joined by commas.
 */
export function sentence<const Parts extends readonly (Sentence | Params)[]>(
  strings: TemplateStringsArray,
  ...parts: Parts
): Sentence<NamesIn<Parts[number]>> {
  let message = strings[0] ?? '';
  let params: Params = {};
  for (const [index, part] of parts.entries()) {
    const isNested = isSentence(part);
    message += isNested ? part.message : Object.values(part).flat().join(', ');
    message += strings[index + 1] ?? '';
    params = { ...params, ...(isNested ? part.params : part) };
  }
  return { message, params };
}

/** Returns a text without params as a sentence. */
export function asSentence<Name extends string = never>(text: string | Sentence<Name>): Sentence<Name> {
  return typeof text === 'string' ? { message: text, params: {} } : text;
}

function isSentence(part: Sentence | Params): part is Sentence {
  return typeof part.params === 'object' && !Array.isArray(part.params);
}
