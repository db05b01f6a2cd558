import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useCanWriteAnyScope } from '../../data/abilities.ts';
import { timelineQuery } from '../../data/history.ts';
import { projectsQuery } from '../../data/projects.ts';
import { TimelineEventDetails } from '../../kit/history/timeline-event-details.tsx';
import { groupTimeline, type TimelineEvent } from '../../kit/history/timeline-events.ts';
import { NoParameter, NoProject } from '../../kit/no-project.tsx';
import { ErrorMessage } from '../../ui/error-message.tsx';
import { Pages } from '../../ui/pages.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import styles from './parameter-history-page.module.css';

const route = getRouteApi('/inside/projects/$name/history/$parameter');

/** Lists all changes of one parameter, newest first, with masked secrets. */
export function ParameterHistoryPage() {
  const { name } = route.useParams();
  const { data: projects } = useQuery(projectsQuery());
  const project = projects?.find((listedProject) => listedProject.name === name);
  if (!projects) return null;
  if (project) return <Timeline projectId={project.id} />;
  return <NoProject name={name} />;
}

function Timeline({ projectId }: { readonly projectId: string }) {
  const { name, parameter } = route.useParams();
  const { before } = route.useSearch();
  const query = useQuery(timelineQuery(projectId, parameter, before ?? null));
  if (query.error) return <ErrorMessage error={query.error} reset={() => void query.refetch()} />;
  if (query.data === undefined) return <p className={styles.note}>Loading …</p>;
  if (query.data === null) return <NoParameter project={name} name={parameter} />;
  const { id, type, secret, description, timeline } = query.data;
  const events = groupTimeline(timeline?.results ?? []);
  return (
    <div className={styles.page} aria-busy={query.isPlaceholderData}>
      <p className={styles.about}>
        {secret ? `secret ${type}` : type} of{' '}
        <Link to="/projects/$name" params={{ name }} className={styles.link}>
          <UserText>{name}</UserText>
        </Link>
        {description !== '' && (
          <>
            {' · '}
            <UserText>{description}</UserText>
          </>
        )}
      </p>
      <ol className={styles.events}>
        {events.map((event, index) => (
          <TimelineEventLine
            key={event.at}
            parameterId={id}
            parameter={parameter}
            event={event}
            isNewest={before === undefined && index === 0}
          />
        ))}
      </ol>
      <Pages by="before" here={before} next={timeline?.nextAsOf ?? null} first="Newest" more="Older" />
    </div>
  );
}

interface TimelineEventLineProps {
  readonly parameterId: string;
  readonly parameter: string;
  readonly event: TimelineEvent;
  /** Whether it led to the current state, so that nothing can be restored. */
  readonly isNewest: boolean;
}

function TimelineEventLine({ parameterId, parameter, event, isNewest }: TimelineEventLineProps) {
  const { at, by, revision } = event;
  const mayReturn = useCanWriteAnyScope();
  return (
    <li className={styles.event}>
      <p className={styles.when}>
        <When at={at} />
        <span>
          <UserText>{by}</UserText>
        </span>
        {revision !== null && (
          <Link to="/history/$revision" params={{ revision: String(revision) }} className={styles.link}>
            revision {revision}
          </Link>
        )}
        {revision !== null && mayReturn && !isNewest && (
          <Link
            to="/history/return"
            search={{ to: revision, parameter: parameterId, name: parameter }}
            className={styles.link}
          >
            Restore to this revision
          </Link>
        )}
      </p>
      <TimelineEventDetails {...{ parameter, event }} />
    </li>
  );
}
