import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { HomeProject, ProjectProblemCounts } from '../data/home.ts';
import { formatCount } from '../lib/format-count.ts';
import card from '../ui/card.module.css';
import { useNow } from '../ui/use-now.ts';
import { UserText } from '../ui/user-text.tsx';
import { When } from '../ui/when.tsx';
import styles from './project-summary.module.css';
import { TimeByActor } from './time-by-actor.tsx';

interface ProjectSummaryProps {
  readonly project: HomeProject;
  /** The problems that are counted in the background; undefined until they are loaded. */
  readonly problems: ProjectProblemCounts | undefined;
}

/** Shows the counts, the problems and the last change of a project. Problems and changes link to their pages. */
export function ProjectSummary({ project, problems }: ProjectSummaryProps) {
  const { parameterCount, environmentCount, lastChange } = project;
  return (
    <>
      <p className={card.counts}>
        {parameterCount === 0
          ? 'No parameters yet'
          : `${formatCount(parameterCount, 'parameter')} · values in ${formatCount(environmentCount, 'environment')}`}
      </p>
      <ProjectProblems {...{ project, problems }} />
      {lastChange && (
        <p className={card.foot}>
          Changed <TimeByActor {...lastChange} />
        </p>
      )}
    </>
  );
}

/** Lists what needs attention in a project, and says so if something was not checked. */
export function ProjectProblems({ project, problems }: ProjectSummaryProps) {
  const { projectName: name, expiring, expiringCount } = project;
  const { findingCount = 0, instances = [] } = problems ?? {};
  const now = useNow();
  const unlisted = expiringCount - expiring.length;
  const rows: ReactNode[] = [];
  if (findingCount !== 0) {
    rows.push(
      <Link to="/projects/$name/lint" params={{ name }} className={styles.link}>
        {findingCount === null ? 'Lint not checked' : `Lint: ${formatCount(findingCount, 'finding')}`}
      </Link>,
    );
  }
  for (const { parameterName, environmentName, expiresAt } of expiring) {
    const search = { q: parameterName, cell: parameterName, in: environmentName };
    rows.push(
      <>
        <Link to="/projects/$name" params={{ name }} search={search} className={styles.link}>
          <UserText>{parameterName}</UserText>
        </Link>{' '}
        in <UserText>{environmentName}</UserText> {Date.parse(expiresAt) < now ? 'expired' : 'expires'}{' '}
        <When at={expiresAt} />
      </>,
    );
  }
  if (unlisted > 0) rows.push(`${formatCount(unlisted, 'more secret')} expired or expiring`);
  for (const { environmentName, ...counts } of instances) {
    const description = describeInstances(counts);
    if (description === null) continue;
    rows.push(
      <>
        <Link
          to="/projects/$name/instances"
          params={{ name }}
          search={{ env: environmentName }}
          className={styles.link}
        >
          {description}
        </Link>{' '}
        in <UserText>{environmentName}</UserText>
      </>,
    );
  }
  if (rows.length === 0) return null;
  return (
    <ul className={styles.problems}>
      {rows.map((row, at) => (
        <li key={at}>{row}</li>
      ))}
    </ul>
  );
}

type InstanceCounts = Pick<ProjectProblemCounts['instances'][number], 'total' | 'lagging' | 'rejected'>;

/** Describes the instances that do not run the latest configuration; null if all of them run it. */
function describeInstances({ total, lagging, rejected }: InstanceCounts): string | null {
  if (lagging === null || rejected === null) return `${formatCount(total, 'instance')}, not compared`;
  if (rejected > 0) return `${formatCount(rejected, 'instance')} rejected the configuration`;
  if (lagging > 0) return `${formatCount(lagging, 'instance')} lagging`;
  return null;
}
