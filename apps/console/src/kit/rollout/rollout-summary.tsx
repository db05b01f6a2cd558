import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { rolloutUntilCurrentQuery, type ShownRolloutScope } from '../../data/rollouts.ts';
import { rolloutText } from '../../lib/rollout.ts';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';

/** Shows how many instances run the configuration of a revision, until all do. Shows nothing if no instance reports. */
export function RolloutSummary({ project, environment, revision }: ShownRolloutScope & { readonly revision: number }) {
  const { data: rollout } = useQuery(rolloutUntilCurrentQuery({ project, environment, revision }));
  if (!rollout || rollout.total === 0) return null;
  return (
    <p className={page.note} role="status">
      <Link
        to="/projects/$name/instances"
        params={{ name: project }}
        search={{ env: environment }}
        className={page.link}
      >
        <UserText>{project}</UserText> in <UserText>{environment}</UserText>
      </Link>
      : {rolloutText({ ...rollout, revision })}
    </p>
  );
}
