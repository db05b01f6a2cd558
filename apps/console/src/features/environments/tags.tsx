import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { History, Pencil, Trash2 } from 'lucide-react';
import type { DetailedEnvironment } from '../../data/environments.ts';
import { type ListedTag, tagsQuery } from '../../data/tags.ts';
import { formatPointInTime } from '../../lib/point-in-time.ts';
import button from '../../ui/button.module.css';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { ActionPanel } from '../../ui/page-actions.tsx';
import { nextCursor, Pages } from '../../ui/pages.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { When } from '../../ui/when.tsx';
import { ChangeTag, DeleteTag } from './tag-forms.tsx';

const route = getRouteApi('/inside/environments/$environment');

interface TagsProps {
  readonly environment: DetailedEnvironment;
  readonly mayWrite: boolean;
  applied(revision: number): Promise<void>;
}

/** Lists the tags of an environment, newest first. */
export function Tags({ environment, mayWrite, applied }: TagsProps) {
  const { do: requestedAction, what, after } = route.useSearch();
  const { data: tags, error, refetch } = useQuery(tagsQuery(environment.id, after));
  if (error) return <ErrorMessage error={error} reset={() => void refetch()} />;
  if (!tags) return null;
  const rows = tags.edges.map(({ node }) => node);
  const chosenTag = mayWrite ? rows.find(({ id }) => id === what) : undefined;
  return (
    <section className={page.part} aria-labelledby="tags">
      <h2 id="tags">Tags</h2>
      {tags.totalCount === 0 ? (
        <p className={page.note}>
          No tags yet. A tag names a point in time, such as a release. You can read, compare and restore the
          configuration as of a tag.
        </p>
      ) : (
        <div className={page.scroll}>
          <table className={page.table}>
            <thead>
              <tr>
                <th scope="col">Tag</th>
                <th scope="col">Date and time</th>
                <th scope="col">Description</th>
                <th scope="col">Read</th>
                <th scope="col">
                  <span className="heard">Actions</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((tag) => (
                <TagRow key={tag.id} environment={environment} tag={tag} mayWrite={mayWrite} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pages here={after} next={nextCursor(tags.pageInfo)} />
      {chosenTag && requestedAction === 'change-tag' && (
        <ActionPanel key={`change ${chosenTag.id}`} title={`Change ${chosenTag.name}`}>
          <ChangeTag environment={environment} tag={chosenTag} applied={applied} />
        </ActionPanel>
      )}
      {chosenTag && requestedAction === 'delete-tag' && (
        <ActionPanel key={`delete ${chosenTag.id}`} title={`Delete ${chosenTag.name}`}>
          <DeleteTag environment={environment} tag={chosenTag} applied={applied} />
        </ActionPanel>
      )}
    </section>
  );
}

interface TagRowProps extends Pick<TagsProps, 'environment' | 'mayWrite'> {
  readonly tag: ListedTag;
}

function TagRow({ environment, tag, mayWrite }: TagRowProps) {
  const { id, name, description, timestamp, immutable, usage } = tag;
  const at = formatPointInTime({ kind: 'tag', environment: environment.name, tag: name });
  return (
    <tr>
      <th scope="row">
        <UserText>{name}</UserText> {immutable && <span className={page.badge}>immutable</span>}
      </th>
      <td>
        <When at={timestamp} as="date" />
      </td>
      <td>
        <UserText>{description}</UserText>
      </td>
      <td>{usage.totalReads === 0 ? 'never' : `${usage.totalReads.toLocaleString()} ×`}</td>
      <td>
        <div className={page.buttons}>
          <Link to="/projects" search={{ at }} className={button.quiet}>
            <History size={14} aria-hidden /> View
          </Link>
          <Link
            to="/compare"
            search={{ left: environment.name, right: environment.name, from: at }}
            className={button.quiet}
          >
            Compare with now
          </Link>
          {mayWrite && !immutable && (
            <ActionLink does="change-tag" what={id} label={withVisibleCharacters(`Change ${name}`)}>
              <Pencil size={14} aria-hidden />
            </ActionLink>
          )}
          {mayWrite && (
            <ActionLink does="delete-tag" what={id} label={withVisibleCharacters(`Delete ${name}`)}>
              <Trash2 size={14} aria-hidden />
            </ActionLink>
          )}
        </div>
      </td>
    </tr>
  );
}

interface ActionLinkProps {
  readonly does: string;
  readonly what: string;
  readonly label: string;
  readonly children: React.ReactNode;
}

function ActionLink({ does, what, label, children }: ActionLinkProps) {
  return (
    <Link
      to="."
      search={(search: object) => ({ ...search, do: does, what })}
      className={button.icon}
      data-destructive={does === 'delete-tag' || undefined}
      aria-label={label}
      title={label}
    >
      {children}
    </Link>
  );
}
