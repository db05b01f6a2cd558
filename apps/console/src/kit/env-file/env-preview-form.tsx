import {
  type EnvLine,
  filterResolvable,
  findProposedSecrets,
  inferTypes,
  lineReferences,
  parseEnvPreview,
} from '@strata/import';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { environmentsQuery } from '../../data/environments.ts';
import { projectsQuery } from '../../data/projects.ts';
import { referableNamesQuery } from '../../data/templates.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import { trimmedField } from '../../ui/form.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import { createFromEnv, type EnvProject, errorsByName } from './create-from-env.ts';
import { EnvTable } from './env-table.tsx';
import styles from './first-run-page.module.css';
import { InferredTypes } from './inferred-types.tsx';
import { ReferencesChoice } from './references-choice.tsx';

interface EnvPreviewFormProps {
  /** The name of an existing project; null for a new one, whose name is a field of the form. */
  readonly project: string | null;
  readonly source: string;
  readonly onDiscard: () => void;
}

/** Shows the parsed lines of a file, and creates their parameters. */
export function EnvPreviewForm({ project, source, onDiscard }: EnvPreviewFormProps) {
  const preview = useMemo(() => parseEnvPreview(source), [source]);
  const parts = useMemo(() => [{ preview }], [preview]);
  const [secretChoices, setSecretChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  const [resolves, setResolves] = useState<boolean | null>(null);
  const targets = useParameterNames(project);
  const references = useMemo(() => lineReferences(parts, { targets, secretChoices }), [parts, targets, secretChoices]);
  const resolvedReferences = useMemo(
    () => (resolves ? filterResolvable(references) : new Map()),
    [references, resolves],
  );
  const secrets = useMemo(
    () => findProposedSecrets(parts, resolvedReferences, secretChoices),
    [parts, resolvedReferences, secretChoices],
  );
  const [isTyped, setTyped] = useState(true);
  const types = useMemo(
    () => inferTypes(isTyped ? preview.importable : [], ({ name }) => secrets.has(name) || targets.has(name)),
    [isTyped, preview, secrets, targets],
  );
  const { mutate, error, isPending } = useCreation({
    project,
    lines: preview.importable,
    secrets,
    types,
    resolved: resolvedReferences,
  });
  const count = preview.importable.length;
  const setSecret = (name: string, isSecret: boolean) =>
    setSecretChoices(new Map([...secretChoices, [name, isSecret]]));
  return (
    <form
      className={styles.preview}
      onSubmit={(event) => {
        // `onSubmit` instead of `action`, because React resets the fields after an `action`.
        event.preventDefault();
        mutate(new FormData(event.currentTarget));
      }}
    >
      <TargetFields project={project} />
      <EnvTable
        {...{ preview, secrets, types, resolved: resolvedReferences }}
        onSecret={setSecret}
        errors={errorsByName(error)}
      />
      <InferredTypes types={types} onDismiss={() => setTyped(false)} />
      <ReferencesChoice {...{ parts, references, resolves }} onChoice={setResolves} />
      {error !== null && (
        <ActionError error={error}>
          <OtherReasons error={error} lines={preview.importable} />
        </ActionError>
      )}
      <div className={styles.buttons}>
        <button type="submit" className={button.main} disabled={isPending || count === 0}>
          {isPending
            ? 'Creating …'
            : `${project === null ? 'Create project with' : 'Add'} ${count} ${count === 1 ? 'parameter' : 'parameters'}`}
        </button>
        <button type="button" className={button.quiet} onClick={onDiscard}>
          Choose a different file
        </button>
      </div>
    </form>
  );
}

/** Returns the parameters that references in a project can use, without those of the file. */
function useParameterNames(project: string | null) {
  const { data: projects = [] } = useQuery(projectsQuery());
  const id = projects.find(({ name }) => name === project)?.id ?? '';
  const { data } = useQuery({ ...referableNamesQuery(id, []), enabled: id !== '' });
  return data?.parameters ?? NO_PARAMETERS;
}

const NO_PARAMETERS: ReadonlyMap<string, { readonly secret: boolean }> = new Map();

interface Creation extends Pick<EnvProject, 'lines' | 'secrets' | 'types' | 'resolved'> {
  readonly project: string | null;
}

/** Creates the parameters and opens their project. */
function useCreation({ project: existingProject, ...content }: Creation) {
  const client = useQueryClient();
  const navigate = useNavigate();
  return useMutation({
    mutationFn: async (form: FormData) => {
      const isNew = existingProject === null;
      const project = existingProject ?? trimmedField(form, 'project');
      await createFromEnv({ project, isNew, environment: trimmedField(form, 'environment'), ...content });
      await client.invalidateQueries();
      await navigate({ to: '/projects/$name', params: { name: project } });
    },
  });
}

function TargetFields({ project }: Pick<EnvPreviewFormProps, 'project'>) {
  const { data: environments = [] } = useQuery(environmentsQuery());
  return (
    <div className={styles.where}>
      {project === null && (
        <label>
          Project name
          <input name="project" required maxLength={256} autoComplete="off" spellCheck={false} placeholder="web" />
        </label>
      )}
      <label>
        Set in
        <select name="environment">
          {environments.map(({ name, parentName }) => (
            <option key={name} value={name}>
              {withVisibleCharacters(name)}
              {parentName === null && ' (all inherit it)'}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

/** Lists the errors that belong to no line. The table shows the others. */
function OtherReasons({ error, lines }: { readonly error: unknown; readonly lines: readonly EnvLine[] }) {
  const names = new Set(lines.map(({ name }) => name));
  const otherErrors = [...errorsByName(error)].filter(([name]) => !names.has(name));
  return (
    <ul>
      {otherErrors.map(([name, message]) => (
        <li key={name}>
          <UserText>{message}</UserText>
        </li>
      ))}
    </ul>
  );
}
