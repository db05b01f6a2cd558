import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { useAbility } from '../../data/abilities.ts';
import { apiUrlQuery } from '../../data/api-url.ts';
import { environmentsQuery } from '../../data/environments.ts';
import { projectsQuery } from '../../data/projects.ts';
import { viewerQuery } from '../../data/session.ts';
import { CopyableText } from '../../kit/copy-as/copied-text.tsx';
import { PROGRAM_KINDS, PROGRAMS, type ProgramKind, type ProgramScope } from '../../kit/copy-as/programs.ts';
import { NoProject } from '../../kit/no-project.tsx';
import { chosenEnvironment, EnvironmentChoice, UnknownEnvironment } from '../../kit/scopes/environment-choice.tsx';
import { useProjectByName } from '../../kit/status/use-project-by-name.ts';
import button from '../../ui/button.module.css';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import tabs from '../../ui/tabs.module.css';

const route = getRouteApi('/inside/projects/$name/connect');

interface ConnectPageProps {
  /** Returns the dialog that creates a key, with a proposed name and the id of the project. */
  newKey(proposal: { readonly name: string; readonly project: string }, onClose: () => void): ReactNode;
}

/** Shows how programs read the configuration of a project in one environment. */
export function ConnectPage({ newKey }: ConnectPageProps) {
  const { name } = route.useParams();
  const { env, with: kind = 'curl' } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: projects } = useQuery(projectsQuery({}));
  const { data: environments } = useQuery(environmentsQuery({}));
  const apiUrl = useQuery(apiUrlQuery);
  const project = useProjectByName(name, projects);
  if (!projects) return null;
  if (!project) return <NoProject name={name} />;
  if (apiUrl.error) return <ErrorMessage error={apiUrl.error} reset={() => void apiUrl.refetch()} />;
  const environment = chosenEnvironment(environments, env);
  return (
    <div className={page.page}>
      <EnvironmentChoice
        environments={environments}
        name={env}
        onChoose={(name) => void navigate({ search: (previousSearch) => ({ ...previousSearch, env: name }) })}
      />
      <UnknownEnvironment environments={environments} name={env} />
      {environment && apiUrl.data !== undefined && (
        <>
          <Key projectId={project.id} name={`${project.name} ${environment.name}`} newKey={newKey} />
          <Program kind={kind} scope={{ project, environment: environment.name, apiUrl: apiUrl.data }} />
        </>
      )}
    </div>
  );
}

interface KeyProps extends ConnectPageProps {
  readonly projectId: string;
  /** The proposed name of the service account. */
  readonly name: string;
}

function Key({ projectId, name, newKey }: KeyProps) {
  const [isOpen, setOpen] = useState(false);
  const mayCreate = useAbility('create_service_account');
  const { data: viewer } = useQuery(viewerQuery);
  const isRestricted = viewer?.abilities.scopes.some(({ scopeId }) => scopeId === projectId) ?? false;
  return (
    <section className={page.part} aria-labelledby="key">
      <h2 id="key">1. Create a key</h2>
      <p className={page.note}>
        A program uses the key of a service account. The account reads this project and those that it depends on, and
        changes nothing.
        {isRestricted && ' This project is restricted: give the account access to it under Access, Grants.'}
      </p>
      {mayCreate ? (
        <button type="button" className={button.main} onClick={() => setOpen(true)}>
          <KeyRound size={15} aria-hidden /> Create a key
        </button>
      ) : (
        <p className={page.note}>Request a key from a contributor, an admin or an owner.</p>
      )}
      {isOpen && <Suspense>{newKey({ name, project: projectId }, () => setOpen(false))}</Suspense>}
    </section>
  );
}

interface ProgramProps {
  readonly kind: ProgramKind;
  readonly scope: ProgramScope;
}

function Program({ kind, scope }: ProgramProps) {
  const { about, texts } = PROGRAMS[kind];
  return (
    <section className={page.part} aria-labelledby="program">
      <h2 id="program">2. Connect a program</h2>
      <nav aria-label="Program" className={tabs.tabs}>
        {PROGRAM_KINDS.map((program) => (
          <Link
            key={program}
            to="."
            search={(previousSearch: object) => ({ ...previousSearch, with: program })}
            data-status={program === kind ? 'active' : undefined}
            aria-current={program === kind ? 'page' : undefined}
          >
            {PROGRAMS[program].title}
          </Link>
        ))}
      </nav>
      <p className={page.note}>{about}</p>
      <div className={page.texts}>
        <CopyableText title="Settings" text={`export API=${scope.apiUrl}\nexport KEY='…'  # the key`} />
        {texts(scope).map((text) => (
          <CopyableText key={text.title} {...text} />
        ))}
      </div>
    </section>
  );
}
