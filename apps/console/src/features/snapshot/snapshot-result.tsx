import type { ImportResult } from '@strata/import';
import { Link } from '@tanstack/react-router';
import { formatCount } from '../../lib/format-count.ts';
import button from '../../ui/button.module.css';
import { NamesInSentence } from '../../ui/linked-names.tsx';
import page from '../../ui/page.module.css';
import { useShortened } from '../../ui/shortened-list.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { ItemName, ItemTable } from './item-table.tsx';

interface SnapshotResultProps {
  readonly result: ImportResult;
  /** The names of the projects in which something was imported. */
  readonly projects: readonly string[];
  onAgain(): void;
  onOther(): void;
}

/** Shows what was imported, and what the core rejected. */
export function SnapshotImportResult({ result, projects, onAgain, onOther }: SnapshotResultProps) {
  const { applied, rejected, revisions } = result;
  const { shown, more } = useShortened(rejected);
  const shortenedProjects = useShortened(projects);
  return (
    <>
      <section className={page.part} aria-labelledby="imported">
        <h2 id="imported">{formatCount(applied.length, 'object')} imported</h2>
        <p role="status">
          {rejected.length === 0 ? 'Nothing was rejected.' : `${formatCount(rejected.length, 'object')} rejected.`}{' '}
          {revisions.length > 0 && (
            <Link to="/history" className={page.link}>
              Show {formatCount(revisions.length, 'revision')}
            </Link>
          )}
        </p>
        {projects.length > 0 && (
          <p>
            Open{' '}
            <NamesInSentence rows={shortenedProjects.shown.map((name) => ({ id: name, name }))}>
              {(name) => (
                <Link to="/projects/$name" params={{ name }} className={page.link}>
                  <UserText>{name}</UserText>
                </Link>
              )}
            </NamesInSentence>
          </p>
        )}
        {shortenedProjects.more}
        <div className={page.buttons}>
          <button type="button" className={button.plain} onClick={onAgain}>
            Plan again
          </button>
          <button type="button" className={button.plain} onClick={onOther}>
            Choose another file
          </button>
        </div>
      </section>
      {rejected.length > 0 && (
        <ItemTable
          title="Rejected"
          about="Correct these in the source or here, then plan again."
          head={['Object', 'Reason']}
          more={more}
        >
          {shown.map(({ item, message }) => (
            <tr key={item.key}>
              <ItemName item={item} />
              <td>
                <UserText>{message}</UserText>
              </td>
            </tr>
          ))}
        </ItemTable>
      )}
    </>
  );
}
