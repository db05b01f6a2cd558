import { findBaseType, indexById, rulesOfChain } from '@strata/domain';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { projectsQuery } from '../../data/projects.ts';
import { viewerQuery } from '../../data/session.ts';
import { parameterRulesQuery, typesQuery } from '../../data/types.ts';
import { usePointInTime } from '../../data/use-point-in-time.ts';
import { mayWrite } from '../../data/write-access.ts';
import { NoParameter, NoProject } from '../../kit/no-project.tsx';
import { useProjectByName } from '../../kit/status/use-project-by-name.ts';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { RulesPart, type RulesPartProps } from './rules-part.tsx';

const route = getRouteApi('/inside/projects/$name/parameters/$parameter/rules');

/** Shows the page of a parameter's rules. */
export function ParameterRulesPage() {
  const { name, parameter } = route.useParams();
  const { do: requestedAction, what } = route.useSearch();
  const { args } = usePointInTime();
  const { data: projects } = useQuery(projectsQuery(args));
  const project = useProjectByName(name, projects);
  if (!projects) return null;
  if (project) {
    return (
      <div className={page.page}>
        <ParameterRules
          projectId={project.id}
          project={name}
          parameter={parameter}
          does={requestedAction}
          what={what}
        />
      </div>
    );
  }
  return <NoProject name={name} />;
}

interface ParameterRulesProps extends Pick<RulesPartProps, 'does' | 'what'> {
  readonly projectId: string;
  /** The name of the project. */
  readonly project: string;
  /** The name of the parameter. */
  readonly parameter: string;
}

/** Lists the rules of one parameter: its own rules and those of its type. */
function ParameterRules({ projectId, project, parameter, does, what }: ParameterRulesProps) {
  const { args, isNow } = usePointInTime();
  const { data: viewer } = useQuery(viewerQuery);
  const may = mayWrite(viewer, { projectId });
  const query = useQuery(parameterRulesQuery(projectId, parameter, args));
  const types = useQuery(typesQuery(args));
  const error = query.error ?? types.error;
  if (error) return <ErrorMessage error={error} reset={() => void Promise.all([query.refetch(), types.refetch()])} />;
  if (query.data === undefined || !types.data) return <p className={page.note}>Loading …</p>;
  if (query.data === null) return <NoParameter project={project} name={parameter} />;
  const { id, name, type: typeName, secret, rules, projectId: ownerId, projectName } = query.data;
  const typesById = indexById(types.data);
  const type = types.data.find((listedType) => listedType.name === typeName);
  if (!type) return <p className={page.note}>Its type is being changed. Reload the page.</p>;
  const isInherited = ownerId !== projectId;
  return (
    <>
      <section className={page.part}>
        <p className={page.note}>
          {secret ? 'A secret of type ' : 'Of type '}
          <Link to="/types/$type" params={{ type: typeName }} className={page.link}>
            <UserText>{typeName}</UserText>
          </Link>
          {', whose rules apply too. '}
          {isInherited && (
            <>
              It belongs to{' '}
              <Link
                to="/projects/$name/parameters/$parameter/rules"
                params={{ name: projectName, parameter: name }}
                className={page.link}
              >
                <UserText>{projectName}</UserText>
              </Link>
              . Change its rules there.
            </>
          )}
        </p>
      </section>
      <RulesPart
        key={id}
        canWrite={may && isNow && !isInherited}
        does={does}
        what={what}
        owner={{
          title: `parameter ${name}`,
          base: findBaseType(typesById, type.id),
          ownRules: rules,
          inherited: rulesOfChain(typesById, type.id),
          target: { kind: 'parameter', projectId, id },
          operations: 'projects_parameters_rules',
          path: { project_pk: projectId, parameter_pk: id },
          isSecret: secret,
        }}
      />
    </>
  );
}
