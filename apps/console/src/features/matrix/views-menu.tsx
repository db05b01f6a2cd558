import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, Pencil, Trash2 } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { deleteView, preferenceKeys, type SavedView, saveView } from '../../data/preferences.ts';
import type { EnvironmentColumn } from '../../lib/environment-tree.ts';
import button from '../../ui/button.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import menu from './columns-menu.module.css';
import type { MatrixSearch } from './matrix-search.ts';
import { createSearch, readChoices } from './matrix-views.ts';
import styles from './views-menu.module.css';

interface ViewsMenuProps {
  readonly projectId: string;
  readonly environments: readonly EnvironmentColumn[];
  readonly search: MatrixSearch;
  readonly views: readonly SavedView[];
  /** The view that the page shows now. */
  readonly shown: SavedView | undefined;
  onSearch(next: Partial<MatrixSearch>): void;
}

/** Lists the views of the user for this project: apply, save, rename and delete. */
export function ViewsMenu({ projectId, environments, search, views, shown, onSearch }: ViewsMenuProps) {
  const client = useQueryClient();
  const onSuccess = () => client.invalidateQueries({ queryKey: preferenceKeys.all });
  const save = useMutation({ mutationFn: saveView, onSuccess });
  const remove = useMutation({ mutationFn: deleteView, onSuccess });
  const [renamed, setRenamed] = useState<SavedView | null>(null);
  const named = views.toSorted((left, right) => left.name.localeCompare(right.name));
  const error = save.error ?? remove.error;
  const saveAs = (name: string) => {
    // A view with the same name is replaced, so that names stay unique.
    const id = views.find((view) => view.name === name)?.id ?? crypto.randomUUID();
    save.mutate({ id, name, projectId, ...readChoices(search, environments) });
  };
  const rename = (view: SavedView, name: string) => {
    const { id, name: _, projectId: project, ...choices } = view;
    save.mutate({ id, name, projectId: project, ...choices });
    setRenamed(null);
  };
  return (
    <div className={menu.menu}>
      {views.length === 0 && (
        <p className={menu.hint}>
          A view stores the columns, their order and widths, the order of the rows, and the filter by state. Only you
          see it.
        </p>
      )}
      <ul>
        {named.map((view) =>
          renamed?.id === view.id ? (
            <li key={view.id}>
              <NameForm label="New name" initialName={view.name} verb="Rename" onName={(name) => rename(view, name)} />
            </li>
          ) : (
            <ViewLine
              key={view.id}
              view={view}
              isShown={view === shown}
              onApply={() => onSearch(createSearch(view, environments))}
              onRename={() => setRenamed(view)}
              onDelete={() => remove.mutate(view.id)}
            />
          ),
        )}
      </ul>
      <NameForm label="Name of the view" initialName="" verb="Save view" onName={saveAs} />
      {search.q !== undefined && (
        <p className={menu.hint}>The text of the filter is not saved, because it may be a value.</p>
      )}
      {error && (
        <p role="alert" className={styles.error}>
          {error.message}
        </p>
      )}
    </div>
  );
}

interface ViewLineProps {
  readonly view: SavedView;
  readonly isShown: boolean;
  onApply(): void;
  onRename(): void;
  onDelete(): void;
}

function ViewLine({ view: { name }, isShown, onApply, onRename, onDelete }: ViewLineProps) {
  return (
    <li className={menu.line}>
      <button type="button" className={styles.apply} aria-current={isShown || undefined} onClick={onApply}>
        <Check size={13} aria-hidden className={styles.check} />
        <span>
          <UserText>{name}</UserText>
        </span>
      </button>
      <span className={menu.actions}>
        <button type="button" aria-label={withVisibleCharacters(`Rename ${name}`)} title="Rename" onClick={onRename}>
          <Pencil size={13} aria-hidden />
        </button>
        <button
          type="button"
          data-destructive
          aria-label={withVisibleCharacters(`Delete ${name}`)}
          title="Delete"
          onClick={onDelete}
        >
          <Trash2 size={13} aria-hidden />
        </button>
      </span>
    </li>
  );
}

interface NameFormProps {
  readonly label: string;
  readonly initialName: string;
  readonly verb: string;
  onName(name: string): void;
}

function NameForm({ label, initialName, verb, onName }: NameFormProps) {
  const [name, setName] = useState(initialName);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onName(name.trim());
    setName('');
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <input
        aria-label={label}
        placeholder={initialName || 'Live environments'}
        value={name}
        maxLength={128}
        onChange={({ target }) => setName(target.value)}
      />
      <button type="submit" className={button.plain} disabled={name.trim() === ''}>
        {verb}
      </button>
    </form>
  );
}
