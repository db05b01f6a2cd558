import type { ReactNode } from 'react';
import card from './card-page.module.css';

/** The title and the text of a page without the navigation. */
export function CardMessage({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <>
      <h1 className={card.title}>{title}</h1>
      <p className={card.about}>{children}</p>
    </>
  );
}
