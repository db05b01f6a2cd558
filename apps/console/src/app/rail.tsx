import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps, useLocation, useParams } from '@tanstack/react-router';
import {
  Boxes,
  Building2,
  Cloud,
  GitCompareArrows,
  History as HistoryIcon,
  House,
  ListTree,
  type LucideIcon,
  Menu,
  Shapes,
  Users,
  Webhook,
} from 'lucide-react';
import { useId, useState } from 'react';
import { projectsQuery } from '../data/projects.ts';
import { viewerQuery } from '../data/session.ts';
import { usePointInTime } from '../data/use-point-in-time.ts';
import { useNameFilter } from '../ui/name-filter.tsx';
import { Account } from './account.tsx';
import { OrganizationSwitch } from './organization-switch.tsx';
import { OwnPlaces } from './own-places.tsx';
import { PaletteButton } from './palette-button.tsx';
import styles from './rail.module.css';
import { RailProjects } from './rail-projects.tsx';

interface Place {
  readonly to: LinkProps['to'];
  readonly title: string;
  readonly Sign: LucideIcon;
  /** The start of the addresses of other pages that belong to it. */
  readonly includes?: string;
}

/** Shows the main navigation of an organization. */
const PLACES: readonly Place[] = [
  { to: '/', title: 'Home', Sign: House },
  { to: '/projects', title: 'Projects', Sign: Boxes },
  { to: '/environments', title: 'Environments', Sign: ListTree },
  { to: '/types', title: 'Types', Sign: Shapes },
  { to: '/compare', title: 'Compare', Sign: GitCompareArrows },
  { to: '/history', title: 'History', Sign: HistoryIcon },
  { to: '/webhooks', title: 'Webhooks', Sign: Webhook, includes: '/destinations' },
  { to: '/integrations', title: 'Integrations', Sign: Cloud, includes: '/rotations' },
  { to: '/access', title: 'Access', Sign: Users },
  { to: '/organization', title: 'Organization', Sign: Building2 },
];

/** The minimum number of projects for which the filter is shown. */
const FILTERED_FROM = 8;

export function Rail() {
  const { data: viewer } = useQuery(viewerQuery);
  const { args } = usePointInTime();
  const { data: projects = [] } = useQuery(projectsQuery(args));
  const { name: open } = useParams({ strict: false });
  const address = useLocation({ select: ({ pathname }) => pathname });
  // On a phone the navigation is a menu, which closes after each choice.
  const [openedAt, setOpenedAt] = useState<string | null>(null);
  const isOpen = openedAt === address;
  const [isSwitching, setSwitching] = useState(false);
  const placesId = useId();
  const filter = useNameFilter();
  return (
    <nav aria-label="Main" data-region className={styles.rail}>
      <OrganizationSwitch viewer={viewer} isOpen={isSwitching} onOpen={setSwitching} />
      <PaletteButton />
      <button
        type="button"
        className={styles.menu}
        aria-label="Menu"
        aria-expanded={isOpen}
        aria-controls={placesId}
        onClick={() => setOpenedAt(isOpen ? null : address)}
      >
        <Menu size={15} aria-hidden />
      </button>
      <div id={placesId} className={styles.places} data-open={isOpen || undefined} inert={isSwitching}>
        {PLACES.map(({ to, title, Sign, includes }) => (
          <Link
            key={title}
            to={to}
            activeOptions={{ exact: to === '/projects' || to === '/' }}
            className={styles.item}
            {...(includes !== undefined && address.startsWith(includes) && { 'data-status': 'active' })}
          >
            <Sign size={15} aria-hidden /> <span>{title}</span>
          </Link>
        ))}
        <div className={styles.own}>
          {projects.length >= FILTERED_FROM && (
            <input
              type="search"
              className={styles.filter}
              aria-label="Filter the navigation"
              placeholder="Filter by name"
              value={filter.filterText}
              onChange={({ target }) => filter.setFilterText(target.value)}
            />
          )}
          <OwnPlaces openProjectId={projects.find(({ name }) => name === open)?.id} fits={filter.fits} />
          {projects.length > 0 && <RailProjects projects={projects} fits={filter.fits} />}
        </div>
      </div>
      <Account viewer={viewer} />
    </nav>
  );
}
