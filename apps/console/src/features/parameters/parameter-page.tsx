import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Copy, Pencil, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useScopeAbility } from '../../data/abilities.ts';
import { type ParameterToSet, parameterSettingsQuery, parameterUseQuery } from '../../data/parameters.ts';
import { projectsQuery } from '../../data/projects.ts';
import { NoParameter, NoProject } from '../../kit/no-project.tsx';
import { type AllowedAction, AllowedActions, useAppliedAction } from '../../kit/planned/allowed-actions.tsx';
import { RotationNote } from '../../kit/rotation-note.tsx';
import { ObjectByStatus } from '../../kit/status/object-by-status.tsx';
import { useObjectStatus } from '../../kit/status/use-object-status.ts';
import { TimeByActor } from '../../kit/time-by-actor.tsx';
import { formatCount } from '../../lib/format-count.ts';
import type { ListedProject } from '../../lib/project-forest.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { NamesInSentence } from '../../ui/linked-names.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { ChangeParameter, CopyParameter, DeleteParameter } from './parameter-forms.tsx';

const route = getRouteApi('/inside/projects/$name/parameters/$parameter');

/** Shows the settings of one parameter. */
export function ParameterPage() {
  const { name } = route.useParams();
  const { data: projects } = useQuery(projectsQuery());
  if (!projects) return <p className={page.page}>Loading …</p>;
  const project = projects.find((listedProject) => listedProject.name === name);
  if (project) return <OfProject key={project.id} project={project} projects={projects} />;
  return <NoProject name={name} />;
}

interface ShownParameter {
  /** The name in the URL. */
  readonly name: string;
  readonly row: ParameterToSet;
}

interface OfProjectProps {
  readonly project: ListedProject;
  readonly projects: readonly ListedProject[];
}

function OfProject({ project, projects }: OfProjectProps) {
  const { name, parameter: parameterName } = route.useParams();
  const navigate = useNavigate();
  const [shownParameter, setShown] = useState<ShownParameter | null>(null);
  const client = useQueryClient();
  const byName = useQuery(parameterSettingsQuery(project.id, { name: parameterName }));
  if (byName.data && shownParameter?.row !== byName.data) setShown({ name: parameterName, row: byName.data });
  // If no parameter has the name any more, the shown one is requested by its id. It stays visible meanwhile.
  const missedParameter = shownParameter?.name === parameterName && byName.data === null ? shownParameter.row : null;
  const byId = useQuery({
    ...parameterSettingsQuery(project.id, { id: missedParameter?.id ?? '' }),
    enabled: missedParameter !== null,
  });
  const parameterData = missedParameter === null ? byName.data : byId.data === undefined ? missedParameter : byId.data;
  const rows = parameterData === undefined ? undefined : parameterData === null ? [] : [parameterData];
  const status = useObjectStatus(rows, parameterName, (row) => {
    client.setQueryData(parameterSettingsQuery(project.id, { name: row.name }).queryKey, row);
    void navigate({
      to: '.',
      params: { name, parameter: row.name },
      search: (previousSearch: object) => previousSearch,
      replace: true,
    });
  });
  return (
    <ObjectByStatus
      name={parameterName}
      standing={status}
      error={byName.error ?? byId.error}
      readAgain={() => void Promise.all([byName.refetch(), byId.refetch()])}
      restoreLink={
        <>
          Restore it from the{' '}
          <Link to="/history" search={{ project: name }} className={page.link}>
            history
          </Link>
          .
        </>
      }
      unknown={<NoParameter project={name} name={parameterName} />}
    >
      {(row) => (
        <Found
          key={row.id}
          shownBy={project}
          owner={projects.find(({ id }) => id === row.projectId) ?? project}
          parameter={row}
        />
      )}
    </ObjectByStatus>
  );
}

interface FoundProps {
  /** The project in the URL, which owns or inherits the parameter. */
  readonly shownBy: ListedProject;
  readonly owner: ListedProject;
  readonly parameter: ParameterToSet;
}

function Found({ shownBy, owner, parameter }: FoundProps) {
  const { do: requestedAction } = route.useSearch();
  const { done, applied } = useAppliedAction(requestedAction);
  const mayWrite = useScopeAbility(owner.id, 'write');
  const isOwn = owner.id === shownBy.id;
  const may = mayWrite && isOwn;
  const props = { project: owner, parameter, applied };
  const verbs: readonly AllowedAction[] = [
    { does: 'change', title: 'Change', Sign: Pencil, may, form: <ChangeParameter {...props} /> },
    { does: 'copy', title: 'Copy', Sign: Copy, may, form: <CopyParameter {...props} /> },
    { does: 'delete', title: 'Delete', Sign: Trash2, may, form: <DeleteParameter {...props} /> },
  ];
  return (
    <div className={page.page}>
      <div className={page.part}>
        {parameter.description !== '' && (
          <p>
            <UserText>{parameter.description}</UserText>
          </p>
        )}
        <Cards owner={owner} parameter={parameter} />
        <ParameterFacts shownBy={shownBy} parameter={parameter} />
        {parameter.secret && <RotationNote of={{ parameterId: parameter.id }} />}
        {!isOwn && (
          <p className={page.note}>
            <UserText>{shownBy.name}</UserText> inherits it. Change it in its own project:{' '}
            <Link
              to="/projects/$name/parameters/$parameter"
              params={{ name: owner.name, parameter: parameter.name }}
              className={page.link}
            >
              <UserText>{parameter.name}</UserText> of <UserText>{owner.name}</UserText>
            </Link>
            .
          </p>
        )}
        <AllowedActions name={parameter.name} verbs={verbs} does={requestedAction} done={done} />
      </div>
    </div>
  );
}

/** Shows the state of the parameter at a glance. */
function Cards({ owner, parameter }: Pick<FoundProps, 'owner' | 'parameter'>) {
  const { name, type, secret, referencingValueIds, referencingTemplateIds } = parameter;
  const { data: use } = useQuery(parameterUseQuery(owner.id, name));
  return (
    <Facts
      as="cards"
      facts={{
        Type: (
          <>
            <UserText>{type}</UserText>
            {secret && ', secret'}
          </>
        ),
        'Set in': use ? <SetIn project={owner.name} parameter={name} environments={use.environments} /> : null,
        'Used by': describeUsers(referencingValueIds.length, referencingTemplateIds.length),
        'Last change': use?.lastChange ? <TimeByActor {...use.lastChange} /> : null,
        'Last read of the project': use ? (
          use.lastRead ? (
            <TimeByActor {...use.lastRead} />
          ) : (
            'Not in the last 90 days'
          )
        ) : null,
      }}
    />
  );
}

/** Counts the texts that refer to a parameter, as in `2 values and 1 template`. */
function describeUsers(values: number, templates: number): string {
  const users = [values > 0 && formatCount(values, 'value'), templates > 0 && formatCount(templates, 'template')];
  return users.filter(Boolean).join(' and ') || 'no value or template';
}

interface SetInProps {
  readonly project: string;
  readonly parameter: string;
  readonly environments: readonly { readonly id: string; readonly name: string }[];
}

/** Lists the environments with a value of their own. Each of them opens its cell in the matrix. */
function SetIn({ project, parameter, environments }: SetInProps) {
  if (environments.length === 0) return 'no environment';
  return (
    <NamesInSentence rows={environments}>
      {(environment) => (
        <Link
          to="/projects/$name"
          params={{ name: project }}
          search={{ q: parameter, cell: parameter, in: environment }}
          className={page.link}
        >
          <UserText>{environment}</UserText>
        </Link>
      )}
    </NamesInSentence>
  );
}

function ParameterFacts({ shownBy, parameter }: Pick<FoundProps, 'shownBy' | 'parameter'>) {
  const { name, expires, expirationAction, projectName, overrides, rules, createdAt } = parameter;
  return (
    <Facts
      facts={{
        Name: (
          <>
            <code>
              <UserText>{name}</UserText>
            </code>
            <CopyButton text={name} label="Copy name" isIcon />
          </>
        ),
        Project: (
          <Link to="/projects/$name" params={{ name: projectName }} className={page.link}>
            <UserText>{projectName}</UserText>
          </Link>
        ),
        Overrides: overrides && (
          <>
            <UserText>{name}</UserText> of <UserText>{overrides.projectName}</UserText>
          </>
        ),
        Rules: rules.length === 0 ? 'None of its own' : `${rules.length} of its own`,
        'Expires after':
          expires === null
            ? 'Never'
            : `${expires}, then ${expirationAction === null ? 'marked as expired' : 'replaced by a generated password'}`,
        Created: <When at={createdAt} />,
        More: (
          <div className={page.buttons}>
            <Link to="/projects/$name" params={{ name: shownBy.name }} search={{ q: name }} className={page.link}>
              Values
            </Link>
            <Link
              to="/projects/$name/parameters/$parameter/rules"
              params={{ name: projectName, parameter: name }}
              className={page.link}
            >
              Rules
            </Link>
            <Link
              to="/projects/$name/history/$parameter"
              params={{ name: shownBy.name, parameter: name }}
              className={page.link}
            >
              History
            </Link>
          </div>
        ),
      }}
    />
  );
}
