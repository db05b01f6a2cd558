import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { projectsQuery } from '../../data/projects.ts';
import { templateQuery, templateTimelineQuery } from '../../data/templates.ts';
import { DifferenceLines } from '../../kit/difference/difference-lines.tsx';
import { useProjectByName } from '../../kit/status/use-project-by-name.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { Pages } from '../../ui/pages.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import styles from './template-history-page.module.css';

const route = getRouteApi('/inside/projects/$name/templates/$template/history');

/** Lists the versions of a template, newest first. */
export function TemplateHistoryPage() {
  const { name, template } = route.useParams();
  const { data: projects } = useQuery(projectsQuery());
  const project = useProjectByName(name, projects);
  const query = useQuery({ ...templateQuery(project?.id ?? '', template, {}), enabled: project !== undefined });
  if (query.error) return <ErrorMessage error={query.error} reset={() => void query.refetch()} />;
  if (!projects || (project && query.data === undefined)) return <p className={page.page}>Loading …</p>;
  if (project && query.data) return <Timeline projectId={project.id} id={query.data.id} />;
  return (
    <p className={page.page}>
      <span>
        <UserText>{name}</UserText> has no template named{' '}
        <strong>
          <UserText>{template}</UserText>
        </strong>{' '}
        now, or you don’t have access to it.
      </span>
    </p>
  );
}

const VERBS: Readonly<Record<string, string>> = { create: 'made', update: 'changed', delete: 'deleted' };

function Timeline({ projectId, id }: { readonly projectId: string; readonly id: string }) {
  const { name, template } = route.useParams();
  const { before } = route.useSearch();
  const query = useQuery(templateTimelineQuery(projectId, id, before ?? null));
  if (query.error) return <ErrorMessage error={query.error} reset={() => void query.refetch()} />;
  if (!query.data) return <p className={page.page}>Loading …</p>;
  const { versions, nextAsOf } = query.data;
  return (
    <div className={page.page} aria-busy={query.isPlaceholderData}>
      <p className={page.note}>
        Shows the changed lines of each version.{' '}
        <Link to="/projects/$name/templates/$template" params={{ name, template }} className={page.link}>
          Go to the current version
        </Link>
      </p>
      <ol className={styles.list}>
        {versions.map(({ historyType, historyTemplate, modifiedAt, modifiedBy, revision }, at) => {
          const olderVersion = versions[at + 1]?.historyTemplate;
          const isOldest = olderVersion === undefined && nextAsOf !== null;
          return (
            <li key={historyTemplate.ledgerId} className={styles.entry}>
              <p className={styles.when}>
                <When at={modifiedAt} /> <span>{modifiedBy}</span> <span>{VERBS[historyType] ?? historyType}</span>
                {olderVersion && olderVersion.name !== historyTemplate.name && (
                  <span>
                    was named <UserText>{olderVersion.name}</UserText>
                  </span>
                )}
                {revision !== null && (
                  <Link to="/history/$revision" params={{ revision: String(revision) }} className={page.link}>
                    revision {revision}
                  </Link>
                )}
                <CopyButton text={historyTemplate.body} label="Copy this version" />
              </p>
              {isOldest ? (
                <p className={page.note}>Earlier versions are on the next page.</p>
              ) : (
                <DifferenceLines before={olderVersion?.body ?? ''} after={historyTemplate.body} />
              )}
            </li>
          );
        })}
      </ol>
      <Pages by="before" here={before} next={nextAsOf ?? null} first="Newest" more="Older" />
    </div>
  );
}
