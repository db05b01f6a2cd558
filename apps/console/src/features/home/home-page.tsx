import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import type { ReactNode } from 'react';
import { useAbility } from '../../data/abilities.ts';
import { type HomeData, homeQuery, PROJECTS_PER_PAGE, problemsQuery } from '../../data/home.ts';
import { viewerQuery } from '../../data/session.ts';
import button from '../../ui/button.module.css';
import card from '../../ui/card.module.css';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { Pages } from '../../ui/pages.tsx';
import { Checklist } from './checklist.tsx';
import styles from './home-page.module.css';
import { OpenDrafts, OwnPart, OwnShortcuts } from './own-work.tsx';
import { ProjectCard } from './project-card.tsx';

const route = getRouteApi('/inside/');

interface HomePageProps {
  /** The ways to create the first project. */
  readonly firstRun: ReactNode;
  /** Whether the progress or the error of the sample platform is shown. */
  readonly isSampleLoading: boolean;
  /** Returns the list of webhooks whose messages are not delivered; null if there are none. */
  failingWebhooks(webhooks: HomeData['webhooks']): ReactNode;
  changesetList(changesets: HomeData['changesets']): ReactNode;
}

/** Shows the projects of the organization, what needs attention, and the last changes of the user. */
export function HomePage(props: HomePageProps) {
  const { page: number = 1 } = route.useSearch();
  const { data: viewer } = useQuery(viewerQuery);
  const home = useQuery({ ...homeQuery(viewer?.user.id ?? '', number), enabled: viewer !== undefined });
  if (home.error) return <ErrorMessage error={home.error} reset={() => void home.refetch()} />;
  if (!home.data) return <p className={page.note}>Loading …</p>;
  const isFresh = home.data.projectCount < 2 && home.data.projects.every(isUntouched);
  return (
    <>
      {(isFresh || props.isSampleLoading) && props.firstRun}
      {!isFresh && (
        <Home
          {...props}
          home={home.data}
          number={number}
          organizationId={viewer?.organization?.id ?? ''}
          viewerId={viewer?.user.id ?? ''}
        />
      )}
    </>
  );
}

/** The revision that creates an organization and its first project. */
const FIRST_REVISION = 1;

/** Returns whether the project is the unchanged one that each organization begins with. */
const isUntouched = ({ parameterCount, lastChange }: HomeData['projects'][number]): boolean =>
  parameterCount === 0 && Number(lastChange?.revision ?? FIRST_REVISION) <= FIRST_REVISION;

interface HomeProps extends Pick<HomePageProps, 'failingWebhooks' | 'changesetList'> {
  readonly home: HomeData;
  /** The number of the page. */
  readonly number: number;
  readonly organizationId: string;
  readonly viewerId: string;
}

function Home({ home, number, organizationId, viewerId, failingWebhooks, changesetList }: HomeProps) {
  // The last step is to invite someone.
  const mayDoAll = useAbility('invite');
  return (
    <div className={page.page}>
      <div className={styles.columns}>
        <div className={styles.column}>
          {mayDoAll && number === 1 && <Checklist home={home} organizationId={organizationId} />}
          <Projects home={home} number={number} />
        </div>
        <div className={styles.column}>
          {failingWebhooks(home.webhooks)}
          <OpenDrafts />
          <OwnPart title="My changes">
            {home.changesets.length === 0 ? (
              <p className={page.note}>The last changes that you apply are listed here.</p>
            ) : (
              <>
                {changesetList(home.changesets)}
                <Link to="/history" search={{ actor: viewerId }} className={page.link}>
                  All my changes
                </Link>
              </>
            )}
          </OwnPart>
          <OwnShortcuts />
        </div>
      </div>
    </div>
  );
}

function Projects({ home: { projects, projectCount }, number }: Pick<HomeProps, 'home' | 'number'>) {
  const mayWrite = useAbility('write_content');
  const { data: problems } = useQuery(problemsQuery({ page: number }));
  const next = number * PROJECTS_PER_PAGE < projectCount ? number + 1 : null;
  return (
    <>
      <div className={page.head}>
        <h2 id="home-projects">Projects</h2>
        {mayWrite && (
          <Link to="/start" className={button.plain}>
            <Plus size={15} aria-hidden /> Create project
          </Link>
        )}
      </div>
      <ul className={card.cards} aria-labelledby="home-projects">
        {projects.map((project) => (
          <ProjectCard key={project.projectId} project={project} problems={problems?.[project.projectId]} />
        ))}
      </ul>
      <Pages by="page" here={number === 1 ? undefined : number} next={next} />
    </>
  );
}
