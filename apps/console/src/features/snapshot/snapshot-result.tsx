import type { ImportResult, Platform } from '@strata/import';
import { Link } from '@tanstack/react-router';
import button from '../../ui/button.module.css';
import { NamesInSentence } from '../../ui/linked-names.tsx';
import page from '../../ui/page.module.css';
import { useShortened } from '../../ui/shortened-list.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { ItemName, ItemTable } from './item-table.tsx';

interface SnapshotResultProps {
  readonly platform: Platform;
  readonly result: ImportResult;
  onAgain(): void;
  onOther(): void;
}

/** Shows what was imported, and what the core rejected. */
export function SnapshotResult({ platform, result, onAgain, onOther }: SnapshotResultProps) {
  const { applied, rejected, revisions } = result;
  const { shown, more } = useShortened(rejected);
  const projects = useShortened(platform.projects);
  return (
    <>
      <section className={page.part} aria-labelledby="imported">
        <h2 id="imported">
          {applied.length.toLocaleString()} {applied.length === 1 ? 'object' : 'objects'} imported
        </h2>
        <p role="status">
          {rejected.length === 0 ? 'Nothing was rejected.' : `${rejected.length.toLocaleString()} were rejected.`}{' '}
          {revisions.length > 0 && (
            <Link to="/history" className={page.link}>
              Show {revisions.length === 1 ? 'revision' : 'revisions'} {revisions.join(', ')}
            </Link>
          )}
        </p>
        <p>
          Open{' '}
          <NamesInSentence rows={projects.shown.map(({ name }) => ({ id: name, name }))}>
            {(name) => (
              <Link to="/projects/$name" params={{ name }} className={page.link}>
                <UserText>{name}</UserText>
              </Link>
            )}
          </NamesInSentence>
        </p>
        {projects.more}
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
