import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { projectsQuery } from '../data/projects.ts';
import { usePointInTime } from '../data/use-point-in-time.ts';
import { useObjectStatus } from '../kit/status/use-object-status.ts';
import { Tabs } from '../ui/tabs.tsx';

interface ProjectTab {
  readonly to:
    | '/projects/$name'
    | '/projects/$name/templates'
    | '/projects/$name/lint'
    | '/projects/$name/instances'
    | '/projects/$name/connect'
    | '/projects/$name/import'
    | '/projects/$name/export'
    | '/projects/$name/settings';
  readonly title: string;
}

/** Links the pages of a project. */
const TABS: readonly ProjectTab[] = [
  { to: '/projects/$name', title: 'Matrix' },
  { to: '/projects/$name/templates', title: 'Templates' },
  { to: '/projects/$name/lint', title: 'Lint' },
  { to: '/projects/$name/instances', title: 'Instances' },
  { to: '/projects/$name/connect', title: 'Connect' },
  { to: '/projects/$name/import', title: 'Import' },
  { to: '/projects/$name/export', title: 'Export' },
  { to: '/projects/$name/settings', title: 'Settings' },
];

export function ProjectTabs({ name }: { readonly name: string }) {
  const { args } = usePointInTime();
  const { data: projects } = useQuery(projectsQuery(args));
  const navigate = useNavigate();
  const status = useObjectStatus(projects, name, (project) => {
    void navigate({
      to: '.',
      params: (previousParams: object) => ({ ...previousParams, name: project.name }),
      search: (previousSearch: object) => previousSearch,
      replace: true,
      // The page stays open, so unsaved input needs no confirmation.
      ignoreBlocker: true,
    });
  });
  if (status?.kind === 'unknown' || status?.kind === 'gone') return null;
  return (
    <Tabs label="Project">
      {TABS.map(({ to, title }) => (
        <Link
          key={title}
          to={to}
          params={{ name }}
          activeOptions={{ exact: to === '/projects/$name', includeSearch: false }}
        >
          {title}
        </Link>
      ))}
      <Link to="/history" search={{ project: name }}>
        History
      </Link>
    </Tabs>
  );
}
