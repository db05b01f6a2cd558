import type { ImportItem, ItemEffect, ItemKind } from '@strata/import';
import { useState } from 'react';
import { formatCount } from '../../lib/format-count.ts';
import button from '../../ui/button.module.css';
import page from '../../ui/page.module.css';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import { useShortened } from '../../ui/shortened-list.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { KINDS } from './item-descriptions.ts';
import { ItemName, ItemTable } from './item-table.tsx';

const EFFECTS: Readonly<Record<ItemEffect, string>> = {
  created: 'New',
  changed: 'Different',
  secret: 'Existing secrets',
  unchanged: 'Unchanged',
  conflict: 'Conflicts',
  skipped: 'Left out',
};

interface SnapshotPlanProps {
  readonly items: readonly ImportItem[];
  /** Whether the snapshot has grants, which only Strata writes. */
  readonly hasGrants: boolean;
  onApply(items: readonly ImportItem[]): void;
  onCancel(): void;
}

/** Shows what an import creates, changes and leaves out, before anything is stored. */
export function SnapshotPlan({ items, hasGrants, onApply, onCancel }: SnapshotPlanProps) {
  const [confirmedEffects, setConfirmedEffects] = useState<ReadonlySet<ItemEffect>>(new Set<ItemEffect>(['created']));
  const confirm = (effect: ItemEffect, isConfirmed: boolean) =>
    setConfirmedEffects(
      new Set(
        [...confirmedEffects]
          .filter((confirmedEffect) => confirmedEffect !== effect)
          .concat(isConfirmed ? [effect] : []),
      ),
    );
  const filterItems = (effect: ItemEffect) => items.filter((item) => item.effect === effect);
  const [createdItems, changedItems, secrets] = [filterItems('created'), filterItems('changed'), filterItems('secret')];
  const chosenItems = items.filter(({ effect }) => confirmedEffects.has(effect));
  return (
    <>
      <section className={page.part} aria-labelledby="plan">
        <h2 id="plan">Plan of the import</h2>
        <Counts items={items} />
        {!hasGrants && (
          <p className={page.note}>
            The snapshot has no grants. Every member can read the imported projects, including projects that were
            restricted at the source.
          </p>
        )}
        {changedItems.length > 0 && (
          <label>
            <input type="checkbox" onChange={({ target }) => confirm('changed', target.checked)} /> Overwrite{' '}
            {formatCount(changedItems.length, 'existing object')} with the snapshot
          </label>
        )}
        {secrets.length > 0 && (
          <label>
            <input type="checkbox" onChange={({ target }) => confirm('secret', target.checked)} /> Set{' '}
            {formatCount(secrets.length, 'existing secret')} again. Secrets are not compared.
          </label>
        )}
        {chosenItems.length === 0 && <p className={page.note}>Everything that can be imported exists already.</p>}
        <div className={page.buttons}>
          <button
            type="button"
            className={button.main}
            disabled={chosenItems.length === 0}
            onClick={() => onApply(chosenItems)}
          >
            Import {formatCount(chosenItems.length, 'object')}
          </button>
          <button type="button" className={button.plain} onClick={onCancel}>
            Choose another file
          </button>
        </div>
      </section>
      <Reasons
        title="Conflicts"
        about="These are not imported as they are in the snapshot. Nothing is overwritten."
        items={filterItems('conflict')}
      />
      <Reasons title="Left out" about="These cannot be imported." items={filterItems('skipped')} />
      <Reasons
        title="Imported with differences"
        about="These objects will differ from the source."
        items={items.filter(({ difference }) => difference !== undefined)}
      />
      {changedItems.length > 0 && <Differences items={changedItems} />}
      {createdItems.length > 0 && <Created items={createdItems} />}
    </>
  );
}

function Counts({ items }: { readonly items: readonly ImportItem[] }) {
  const kinds = (Object.keys(KINDS) as ItemKind[]).filter((kind) => items.some((item) => item.kind === kind));
  const effects = (Object.keys(EFFECTS) as ItemEffect[]).filter((effect) =>
    items.some((item) => item.effect === effect),
  );
  const count = (kind: ItemKind, effect: ItemEffect) =>
    items.filter((item) => item.kind === kind && item.effect === effect).length;
  return (
    <ScrollArea label="Counts" className={page.scroll}>
      <table className={page.table}>
        <thead>
          <tr>
            <td />
            {effects.map((effect) => (
              <th key={effect} scope="col">
                {EFFECTS[effect]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {kinds.map((kind) => (
            <tr key={kind}>
              <th scope="row">{KINDS[kind]}s</th>
              {effects.map((effect) => (
                <td key={effect}>{count(kind, effect).toLocaleString()}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

interface ReasonsProps {
  readonly title: string;
  readonly about: string;
  readonly items: readonly ImportItem[];
}

function Reasons({ title, about, items }: ReasonsProps) {
  const { shown, more } = useShortened(items);
  if (items.length === 0) return null;
  return (
    <ItemTable title={title} about={about} head={['Object', 'Reason']} more={more}>
      {shown.map((item) => (
        <tr key={item.key}>
          <ItemName item={item} />
          <td>
            <UserText>{item.reason ?? item.difference}</UserText>
          </td>
        </tr>
      ))}
    </ItemTable>
  );
}

function Differences({ items }: { readonly items: readonly ImportItem[] }) {
  const { shown, more } = useShortened(items);
  return (
    <ItemTable title="Different" head={['Object', 'Here', 'In the snapshot']} more={more}>
      {shown.map((item) => (
        <tr key={item.key}>
          <ItemName item={item} />
          <td>{formatText(item.before)}</td>
          <td>{formatText(item.after)}</td>
        </tr>
      ))}
    </ItemTable>
  );
}

const formatText = (text: string | null | undefined) =>
  text === null || text === undefined ? 'null' : text === '' ? 'empty' : <UserText>{text}</UserText>;

function Created({ items }: { readonly items: readonly ImportItem[] }) {
  const { shown, more } = useShortened(items);
  return (
    <ItemTable title="New" head={['Object', 'Kind']} more={more}>
      {shown.map((item) => (
        <tr key={item.key}>
          <ItemName item={item} />
          <td>{KINDS[item.kind]}</td>
        </tr>
      ))}
    </ItemTable>
  );
}
