import type { ImportItem } from '@strata/import';
import type { ReactNode } from 'react';
import page from '../../ui/page.module.css';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { describeLocation } from './item-descriptions.ts';

/** The name of an object, and the scopes that contain it. */
export function ItemName({ item }: { readonly item: ImportItem }) {
  const location = describeLocation(item);
  return (
    <th scope="row">
      <UserText>{item.name}</UserText>
      {location !== '' && (
        <div className={page.under}>
          <UserText>{location}</UserText>
        </div>
      )}
    </th>
  );
}

interface ItemTableProps {
  readonly title: string;
  readonly about?: string;
  readonly head: readonly string[];
  readonly more: ReactNode;
  readonly children: ReactNode;
}

/** A table of objects of an import. */
export function ItemTable({ title, about, head, more, children }: ItemTableProps) {
  return (
    <section className={page.part} aria-label={title}>
      <h2>{title}</h2>
      {about !== undefined && <p className={page.note}>{about}</p>}
      <ScrollArea label={`${title}: list`} className={page.scroll}>
        <table className={page.table}>
          <thead>
            <tr>
              {head.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </ScrollArea>
      {more}
    </section>
  );
}
