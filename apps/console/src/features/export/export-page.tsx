import { EXPORT_FORMATS, type OmittedNames } from '@strata/domain';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useLocation } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { environmentsQuery } from '../../data/environments.ts';
import {
  type ExportKind,
  type ExportScope,
  fileName,
  formatText,
  formatTitle,
  maskedQuery,
  parseExportFormat,
  templatesQuery,
} from '../../data/exports.ts';
import { projectsQuery } from '../../data/projects.ts';
import { usePointInTime } from '../../data/use-point-in-time.ts';
import { CopyAs } from '../../kit/copy-as/copy-as.tsx';
import { NoProject } from '../../kit/no-project.tsx';
import { chosenEnvironment, EnvironmentChoice, UnknownEnvironment } from '../../kit/scopes/environment-choice.tsx';
import { formatCount } from '../../lib/format-count.ts';
import type { ListedProject } from '../../lib/project-forest.ts';
import button from '../../ui/button.module.css';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorMessage } from '../../ui/error-message.tsx';
import page from '../../ui/page.module.css';
import { saveFile } from '../../ui/save-file.ts';
import { ScrollableText } from '../../ui/scroll-area.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { describeCopiedView } from './copied-view.ts';
import styles from './export-page.module.css';
import { NameList, OmittedParameters } from './omitted-parameters.tsx';
import { UnmaskedExport } from './unmasked-export.tsx';

const route = getRouteApi('/inside/projects/$name/export');

/** Exports the values of one environment as a file. */
export function ExportPage() {
  const { name } = route.useParams();
  const { args } = usePointInTime();
  const { data: projects } = useQuery(projectsQuery(args));
  if (!projects) return null;
  const project = projects.find((listedProject) => listedProject.name === name);
  if (project) return <ProjectExport key={project.id} project={project} />;
  return <NoProject name={name} />;
}

function ProjectExport({ project }: { readonly project: ListedProject }) {
  const { env, format, selected } = route.useSearch();
  const chosenNames = useLocation({ select: ({ state }) => state.names });
  const names = selected === undefined ? undefined : chosenNames;
  const navigate = route.useNavigate();
  const { args: pointInTime } = usePointInTime();
  const { data: environments } = useQuery(environmentsQuery(pointInTime));
  const templates = useQuery(templatesQuery(project.id, pointInTime));
  const environment = chosenEnvironment(environments, env);
  const kind = parseExportFormat(format, templates.data ?? []);
  const isWaiting = kind === null && templates.isPending;
  return (
    <div className={page.page}>
      <section className={styles.choice} aria-label="Export">
        <EnvironmentChoice
          environments={environments}
          name={env}
          onChoose={(name) =>
            void navigate({ search: (previousSearch) => ({ ...previousSearch, env: name }), state: true })
          }
        />
        <FormatChoice
          templates={templates.data ?? []}
          chosen={kind}
          onChoose={(name) =>
            void navigate({ search: (previousSearch) => ({ ...previousSearch, format: name }), state: true })
          }
        />
      </section>
      {selected !== undefined && <Selection {...{ selected, names, kind, project }} />}
      {kind === null && !isWaiting && (
        <p className={page.note} role="alert">
          There is no template with that name here. Choose a format.
        </p>
      )}
      <UnknownEnvironment environments={environments} name={env} />
      {kind && environment && (
        <Exported
          key={`${environment.name} ${formatText(kind)}`}
          project={project}
          place={{ projectId: project.id, environment: environment.name, pointInTime, names }}
          kind={kind}
        />
      )}
    </div>
  );
}

interface SelectionProps {
  /** The number of selected parameters. */
  readonly selected: number;
  /** Their names; undefined if the address was opened without them. */
  readonly names: readonly string[] | undefined;
  readonly kind: ExportKind | null;
  readonly project: ListedProject;
}

/** Describes which parameters are exported if some were selected in the matrix. */
function Selection({ selected, names, kind, project }: SelectionProps) {
  const params = { name: project.name };
  const matrix = (
    <Link to="/projects/$name" params={params} className={page.link}>
      matrix
    </Link>
  );
  if (names === undefined) {
    return (
      <p className={page.note} role="alert">
        This link does not contain which {formatCount(selected, 'parameter')} were selected, so all parameters are
        exported. To export some of them, select their rows in the {matrix}.
      </p>
    );
  }
  return (
    <p className={page.note} role="status">
      {kind?.kind === 'template' ? (
        'A template contains what it refers to, regardless of the selection.'
      ) : (
        <>
          {formatCount(names.length, 'selected parameter')}: <NameList names={names} />.
        </>
      )}{' '}
      <Link
        to="/projects/$name/export"
        params={params}
        search={(previousSearch) => ({ ...previousSearch, selected: undefined })}
        className={page.link}
      >
        Export all parameters
      </Link>
    </p>
  );
}

interface FormatChoiceProps {
  readonly templates: readonly { readonly id: string; readonly name: string }[];
  readonly chosen: ExportKind | null;
  onChoose(format: string): void;
}

function FormatChoice({ templates, chosen, onChoose }: FormatChoiceProps) {
  return (
    <SelectField label="Format" chosen={chosen && formatText(chosen)} whenNone="Choose a format" onChoose={onChoose}>
      {([...EXPORT_FORMATS.toReversed(), 'json'] as const).map((option) => (
        <option key={option} value={option}>
          {formatTitle[option]}
        </option>
      ))}
      {templates.map(({ id, name }) => (
        <option key={id} value={`template:${name}`}>
          template {withVisibleCharacters(name)}
        </option>
      ))}
    </SelectField>
  );
}

interface ExportedProps {
  readonly project: ListedProject;
  readonly place: ExportScope;
  readonly kind: ExportKind;
}

function Exported({ project, place, kind }: ExportedProps) {
  const { data: maskedExport, error, refetch } = useQuery(maskedQuery(place, kind));
  if (error) return <ErrorMessage error={error} reset={() => void refetch()} />;
  if (!maskedExport) return <p className={page.note}>Loading …</p>;
  const { body, hasSecret, omitted, missing } = maskedExport;
  const copiedView = describeCopiedView(place, kind);
  const name = fileName(project.name, place.environment, kind);
  if (body.trim() === '' || body === '{}\n') return <NothingToExport {...{ place, kind, omitted }} />;
  return (
    <>
      <section className={styles.file} aria-label="File">
        <div className={page.head}>
          <h2 className={styles.name}>
            <UserText>{name}</UserText>
          </h2>
          <div className={page.buttons}>
            <CopyButton text={body} label={hasSecret ? 'Copy masked' : 'Copy'} />
            <button type="button" className={button.plain} onClick={() => saveFile(name, body)}>
              <Download size={14} aria-hidden /> {hasSecret ? 'Download masked' : 'Download'}
            </button>
            {copiedView && <CopyAs of={copiedView} hasSecret={hasSecret} />}
          </div>
        </div>
        <ScrollableText className={styles.body}>{body}</ScrollableText>
        {missing.length > 0 && (
          <p className={page.note}>
            Without a value in <UserText>{place.environment}</UserText>: <NameList names={missing} />.
          </p>
        )}
        <OmittedParameters kind={kind} omitted={omitted} />
      </section>
      {hasSecret && <UnmaskedExport place={place} kind={kind} name={name} />}
    </>
  );
}

interface NothingToExportProps {
  readonly place: ExportScope;
  readonly kind: ExportKind;
  readonly omitted: OmittedNames;
}

/** Explains why the file is empty. */
function NothingToExport({ place, kind, omitted }: NothingToExportProps) {
  const isOmitted = Object.values(omitted).some((names) => names.length > 0);
  return (
    <div role="status">
      <p className={page.note}>
        {kind.kind === 'template' ? (
          <>
            The template is empty in <UserText>{place.environment}</UserText>, so there is nothing to export.
          </>
        ) : isOmitted ? (
          <>
            No parameter with a value in <UserText>{place.environment}</UserText> can be exported in this format.
          </>
        ) : (
          <>
            No {place.names === undefined ? 'parameter' : 'selected parameter'} has a value in{' '}
            <UserText>{place.environment}</UserText>, so there is nothing to export.
          </>
        )}
      </p>
      <OmittedParameters kind={kind} omitted={omitted} />
    </div>
  );
}
