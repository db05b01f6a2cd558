import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Trouble } from '../app/trouble.tsx';
import { projectsQuery } from '../projects/projects.ts';
import button from '../ui/button.module.css';
import { When } from '../ui/when.tsx';
import { BeforeAfter } from './before-after.tsx';
import { setThenQuery, timelineQuery } from './history.ts';
import { type Occasion, occasionsOf, type ValueOccasion } from './occasions.ts';
import styles from './parameter-history-page.module.css';

const route = getRouteApi('/inside/projects/$name/history/$parameter');
/** Each asks what was set then, so that they come some at a time. */
const SHOWN = 10;

/** Everything that ever happened to one parameter, the latest first; secrets stay dots. */
export function ParameterHistoryPage() {
  const { name } = route.useParams();
  const { data: projects } = useQuery(projectsQuery());
  const project = projects?.find((one) => one.name === name);
  if (!projects) return null;
  if (project) return <Timeline projectId={project.id} />;
  return (
    <p className={styles.note}>
      There is no project called <strong>{name}</strong>, or you have no access to it.
    </p>
  );
}

function Timeline({ projectId }: { readonly projectId: string }) {
  const { name, parameter } = route.useParams();
  const { before } = route.useSearch();
  const found = useQuery(timelineQuery(projectId, parameter, before ?? null));
  if (found.error) return <Trouble error={found.error} reset={() => void found.refetch()} />;
  if (found.data === undefined) return <p className={styles.note}>Reading …</p>;
  if (found.data === null) {
    return (
      <p className={styles.note}>
        {name} shows no parameter called <strong>{parameter}</strong> now. What became of it stands in the{' '}
        <Link to="/history" search={{ project: name }} className={styles.link}>
          history of {name}
        </Link>
        .
      </p>
    );
  }
  const { type, secret, description, timeline } = found.data;
  const occasions = occasionsOf(timeline?.results ?? []);
  const shown = occasions.slice(0, SHOWN);
  const next = occasions[SHOWN]?.at ?? timeline?.nextAsOf ?? undefined;
  return (
    <div className={styles.page} aria-busy={found.isPlaceholderData}>
      <p className={styles.about}>
        {secret ? `secret ${type}` : type} of{' '}
        <Link to="/projects/$name" params={{ name }} className={styles.link}>
          {name}
        </Link>
        {description !== '' && ` · ${description}`}
      </p>
      <ol className={styles.occasions}>
        {shown.map((occasion, at) => (
          <OccasionLine
            key={occasion.at}
            projectId={projectId}
            parameter={parameter}
            occasion={occasion}
            olderAt={occasions[at + 1]?.at ?? next ?? null}
            isSecret={secret}
          />
        ))}
      </ol>
      <nav aria-label="Pages" className={styles.buttons}>
        {before !== undefined && (
          <Link
            to="/projects/$name/history/$parameter"
            params={{ name, parameter }}
            search={{}}
            className={button.plain}
          >
            Newest
          </Link>
        )}
        {next !== undefined && (
          <Link
            to="/projects/$name/history/$parameter"
            params={{ name, parameter }}
            search={{ before: next }}
            className={button.plain}
          >
            Older
          </Link>
        )}
      </nav>
    </div>
  );
}

interface OccasionLineProps {
  readonly projectId: string;
  readonly parameter: string;
  readonly occasion: Occasion;
  /** The instant of the occasion before; null when this was the first. */
  readonly olderAt: string | null;
  readonly isSecret: boolean;
}

function OccasionLine({ projectId, parameter, occasion, olderAt, isSecret }: OccasionLineProps) {
  const { at, by, toParameter, toValues } = occasion;
  const { data: now } = useQuery(setThenQuery(projectId, parameter, at));
  const { data: then } = useQuery({ ...setThenQuery(projectId, parameter, olderAt ?? at), enabled: olderAt !== null });
  const isKnown = now !== undefined && (olderAt === null || then !== undefined);
  return (
    <li className={styles.occasion}>
      <p className={styles.when}>
        <When at={at} />
        <span>{by}</span>
        {now?.revision != null && (
          <Link to="/history/$revision" params={{ revision: String(now.revision) }} className={styles.link}>
            revision {now.revision}
          </Link>
        )}
      </p>
      <ul className={styles.done}>
        {toParameter.map((words) => (
          <li key={words}>{words}</li>
        ))}
        {toValues.map((value) => (
          <ValueLine
            key={value.environment}
            value={value}
            isKnown={isKnown}
            before={olderAt === null ? undefined : then?.texts.get(value.environment)}
            after={now?.texts.get(value.environment)}
            isSecret={isSecret}
          />
        ))}
      </ul>
    </li>
  );
}

interface ValueLineProps {
  readonly value: ValueOccasion;
  readonly isKnown: boolean;
  readonly before: string | null | undefined;
  readonly after: string | null | undefined;
  readonly isSecret: boolean;
}

function ValueLine({ value: { environment, isGone, followers }, isKnown, before, after, isSecret }: ValueLineProps) {
  const kind = isGone ? 'removed' : before === undefined ? 'added' : 'changed';
  return (
    <li className={styles.value}>
      <span className={styles.environment}>{environment}</span>
      <span>
        {isKnown && <BeforeAfter kind={kind} before={before ?? null} after={after ?? null} isMasked={isSecret} />}
        {followers.length > 0 && <span className={styles.followers}>so too {followers.join(', ')}</span>}
      </span>
    </li>
  );
}
