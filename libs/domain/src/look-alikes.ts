import { CONFUSABLES } from './confusables.ts';
import { type Sentence, sentence } from './sentence.ts';

/*
 * People must be able to distinguish names that differ. Two names of plain ASCII never count as look-alikes: existing clients use
 * names such as `O0`, `l1` and `rn` beside each other.
 */

/**
 * Matches bidirectional controls, ignorable characters, line and paragraph separators, annotations, and the blank
 * Braille pattern.
 */
const INVISIBLE = /[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\ufff9-\ufffb\u2800]/u;
const EACH_INVISIBLE = new RegExp(INVISIBLE, 'gu');
/** Emoji are made with joiners and variation selectors. */
const EACH_EMOJI = /\p{RGI_Emoji}/gv;
/** The scripts in which joiners change how a text looks. */
const JOINING =
  '[\\p{scx=Arab}\\p{scx=Syrc}\\p{scx=Mong}\\p{scx=Deva}\\p{scx=Beng}\\p{scx=Guru}\\p{scx=Gujr}\\p{scx=Orya}\\p{scx=Taml}\\p{scx=Telu}\\p{scx=Knda}\\p{scx=Mlym}\\p{scx=Sinh}\\p{scx=Khmr}]';
const EACH_JOINER = new RegExp(`(?<=${JOINING})[\\u200c\\u200d](?=${JOINING})`, 'gu');
const NOT_ASCII = /[^\0-\x7f]/;

/**
 * Returns the first character of a name that is invisible or changes the direction of text, as a code point such as
 * `U+202E`.
 */
export function invisibleCharacter(name: string): string | null {
  if (!NOT_ASCII.test(name)) return null;
  const match = INVISIBLE.exec(name.replace(EACH_EMOJI, '').replace(EACH_JOINER, ''));
  return match && formatCodePoint(match[0]);
}

/** Returns why a name must not be stored, if it contains an invisible character. */
export function invisibleCharacterProblem(
  name: string,
): (Sentence<'characters'> & { readonly code: 'invisible_character' }) | null {
  const codePoint = invisibleCharacter(name);
  if (codePoint === null) return null;
  return {
    code: 'invisible_character',
    ...sentence`A name must not contain invisible characters or characters that change the direction of text. This one contains ${{ characters: codePoint }}. Remove it.`,
  };
}

/** Returns a name for messages, with the code points of its invisible characters. */
export function escapeInvisible(name: string): string {
  return name.replace(EACH_INVISIBLE, (character) => `[${formatCodePoint(character)}]`);
}

function formatCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

let prototypes: ReadonlyMap<string, string> | undefined;

function prototypesByCharacter(): ReadonlyMap<string, string> {
  const text = (codes: string) => codes.split(' ').map((code) => String.fromCodePoint(Number.parseInt(code, 36)));
  prototypes ??= new Map(
    CONFUSABLES.split(',').flatMap((entry) => {
      const [prototype = '', sourceCharacters = ''] = entry.trim().split('<');
      return text(sourceCharacters).map((source): [string, string] => [source, text(prototype).join('')]);
    }),
  );
  return prototypes;
}

/** Returns the skeleton of a text (Unicode TS 39): texts that look alike have the same one. Compare skeletons, do not show them. */
export function computeSkeleton(text: string): string {
  const prototypeByCharacter = prototypesByCharacter();
  let skeleton = '';
  for (const character of text.normalize('NFD').replace(EACH_INVISIBLE, '')) {
    skeleton += prototypeByCharacter.get(character) ?? character;
  }
  return skeleton.normalize('NFD');
}

/**
 * Returns the printable ASCII characters that look like others, each with the text it looks like. The result agrees
 * with `computeSkeleton`.
 */
export function asciiPrototypes(): readonly (readonly [string, string])[] {
  return [...prototypesByCharacter()].filter(([source]) => !NOT_ASCII.test(source));
}

export interface LookAlike {
  readonly name: string;
  /** The other name, which the name looks like. */
  readonly lookAlike: string;
}

/**
 * Finds the first name that looks like another one of `taken` or, if they are new, like one of `names` before it. A name does
 * not look like itself, and two names of plain ASCII never look alike.
 */
export function findLookAlike(
  names: readonly string[],
  takenNames: Iterable<string>,
  { areNew = true }: { readonly areNew?: boolean } = {},
): LookAlike | null {
  const all = new Map<string, string[]>();
  const add = (name: string, skeleton: string) => {
    const otherNames = all.get(skeleton);
    if (otherNames) otherNames.push(name);
    else all.set(skeleton, [name]);
  };
  for (const name of takenNames) add(name, computeSkeleton(name));
  for (const name of names) {
    const skeleton = computeSkeleton(name);
    const isPlain = !NOT_ASCII.test(name);
    const lookAlike = all
      .get(skeleton)
      ?.find((candidate) => candidate !== name && !(isPlain && !NOT_ASCII.test(candidate)));
    if (lookAlike !== undefined) return { name, lookAlike };
    if (areNew) add(name, skeleton);
  }
  return null;
}

/** Whether a name has no characters beyond ASCII. */
export function isPlainName(name: string): boolean {
  return !NOT_ASCII.test(name);
}
