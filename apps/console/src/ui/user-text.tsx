import { withVisibleCharacters } from './visible-characters.ts';

/** Matches letters of right-to-left scripts. */
const FROM_THE_RIGHT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** Shows a user-defined name or text. It cannot reorder the text around it, and its invisible characters are shown as code points. */
export function UserText({ children }: { readonly children: string | null | undefined }) {
  if (!children) return null;
  const text = withVisibleCharacters(children);
  return FROM_THE_RIGHT.test(text) ? <bdi>{text}</bdi> : text;
}
