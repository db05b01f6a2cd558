import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { startTransition, useActionState, useMemo, useState } from 'react';
import { environmentsQuery } from '../../data/environments.ts';
import button from '../../ui/button.module.css';
import { Refusal } from '../../ui/refusal.tsx';
import { spelledOut } from '../../ui/spelled-out.ts';
import { UserText } from '../../ui/user-text.tsx';
import { createFromEnv, refusedNames } from './create-from-env.ts';
import { type EnvLine, previewOf } from './env-lines.ts';
import { EnvTable } from './env-table.tsx';
import styles from './first-run-page.module.css';

interface EnvPreviewFormProps {
  /** Name of a project that is there; null for a new one, whose name is asked for. */
  readonly project: string | null;
  readonly source: string;
  readonly onDiscard: () => void;
}

/** What a file would make: where, and each line with what becomes of it. */
export function EnvPreviewForm({ project: present, source, onDiscard }: EnvPreviewFormProps) {
  const preview = useMemo(() => previewOf(source), [source]);
  const { data: environments = [] } = useQuery(environmentsQuery());
  const [secrets, setSecrets] = useState<ReadonlySet<string>>(
    () => new Set(preview.kept.filter(({ looks }) => looks !== null).map(({ name }) => name)),
  );
  const client = useQueryClient();
  const navigate = useNavigate();
  const [error, submit, isBusy] = useActionState(async (_: unknown, form: FormData) => {
    const isNew = present === null;
    const project = present ?? String(form.get('project') ?? '').trim();
    const environment = String(form.get('environment'));
    try {
      await createFromEnv({ project, isNew, environment, lines: preview.kept, secrets });
    } catch (refusal) {
      return refusal;
    }
    await client.invalidateQueries();
    await navigate({ to: '/projects/$name', params: { name: project } });
    return null;
  }, null);
  const count = preview.kept.length;
  const setSecret = (name: string, isSecret: boolean) => {
    const next = new Set(secrets);
    if (isSecret) next.add(name);
    else next.delete(name);
    setSecrets(next);
  };
  return (
    <form
      className={styles.preview}
      onSubmit={(event) => {
        // Not by `action`, which would empty the fields: the environment would be the first of the list again.
        event.preventDefault();
        const form = new FormData(event.currentTarget);
        startTransition(() => submit(form));
      }}
    >
      <div className={styles.where}>
        {present === null && (
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
                {spelledOut(name)}
                {parentName === null && ' (all inherit it)'}
              </option>
            ))}
          </select>
        </label>
      </div>
      <EnvTable preview={preview} secrets={secrets} onSecret={setSecret} refused={refusedNames(error)} />
      {error !== null && (
        <Refusal error={error}>
          <OtherReasons error={error} lines={preview.kept} />
        </Refusal>
      )}
      <div className={styles.buttons}>
        <button type="submit" className={button.main} disabled={isBusy || count === 0}>
          {isBusy
            ? 'Creating …'
            : `${present === null ? 'Create with' : 'Create'} ${count} ${count === 1 ? 'parameter' : 'parameters'}`}
        </button>
        <button type="button" className={button.quiet} onClick={onDiscard}>
          Choose a different file
        </button>
      </div>
    </form>
  );
}

/** What is wrong besides single lines, which tell it in the table. */
function OtherReasons({ error, lines }: { readonly error: unknown; readonly lines: readonly EnvLine[] }) {
  const names = new Set(lines.map(({ name }) => name));
  const others = [...refusedNames(error)].filter(([name]) => !names.has(name));
  return (
    <ul>
      {others.map(([name, message]) => (
        <li key={name}>
          <UserText>{message}</UserText>
        </li>
      ))}
    </ul>
  );
}
