import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ListedRotation, rotationsQuery } from '../data/rotations.ts';
import { formatCount } from '../lib/format-count.ts';
import page from '../ui/page.module.css';

/** Links to the rotations of a secret or of a project. Shows nothing if there are none. */
export function RotationNote({ of }: { readonly of: Partial<Pick<ListedRotation, 'parameterId' | 'projectId'>> }) {
  const { data: rotations = [] } = useQuery({ ...rotationsQuery, refetchInterval: false });
  const { length } = rotations.filter(
    ({ parameterId, projectId }) =>
      parameterId === (of.parameterId ?? parameterId) && projectId === (of.projectId ?? projectId),
  );
  if (length === 0) return null;
  return (
    <p className={page.note}>
      <Link to="/rotations" className={page.link}>
        {formatCount(length, 'rotation')}
      </Link>{' '}
      {length === 1 ? 'replaces' : 'replace'} credentials here.
    </p>
  );
}
