import { spelledOut } from './spelled-out.ts';

/** Letters of right-to-left scripts. */
const FROM_THE_RIGHT =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/**
 * A name or a text that somebody gave: whatever is in it, what stands beside it keeps its order, and what nobody would see in it is
 * spelled out.
 */
export function UserText({ children }: { readonly children: string | null | undefined }) {
  if (!children) return null;
  const text = spelledOut(children);
  return FROM_THE_RIGHT.test(text) ? <bdi>{text}</bdi> : text;
}
