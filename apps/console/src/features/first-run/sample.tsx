import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Layers } from 'lucide-react';
import styles from '../../kit/env-file/first-run-page.module.css';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import { clearSampleLoading, loadSamplePlatform, useSampleLoading } from './sample-loading.ts';

/** The project of the sample platform that demonstrates the most features. */
const OPENED = 'postgresql';

export function Sample({ mayManageWebhooks }: { readonly mayManageWebhooks: boolean }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { state, parts, done, error } = useSampleLoading();
  const open = () => {
    clearSampleLoading();
    void navigate({ to: '/projects/$name', params: { name: OPENED } });
  };
  const load = async () => {
    if (await loadSamplePlatform(client, mayManageWebhooks)) open();
  };
  return (
    <section className={styles.way} aria-labelledby="sample">
      <h2 id="sample">
        <Layers size={16} aria-hidden /> Load a sample platform
      </h2>
      <p>
        PostgreSQL, Valkey, Keycloak, Grafana and Traefik as one team would run them: about 330 parameters in five
        environments, with secrets, overrides, references, types and a template. Loaded through the public API.
      </p>
      {state === 'loading' && <Progress parts={parts} done={done} />}
      {state === 'failed' && (
        <ActionError error={error}>
          <p>Existing objects stay. Loading continues where it stopped.</p>
        </ActionError>
      )}
      {(state === 'idle' || state === 'failed') && (
        <button type="button" className={button.plain} onClick={() => void load()}>
          {state === 'idle' ? 'Load sample platform' : 'Continue'}
        </button>
      )}
      {state === 'done' && (
        <button type="button" className={button.main} onClick={open}>
          Open {OPENED}
        </button>
      )}
    </section>
  );
}

function Progress({ parts, done }: { readonly parts: readonly string[]; readonly done: number }) {
  const now = parts[done] ?? 'the description';
  return (
    <div className={styles.progress}>
      <progress aria-label="Loading sample platform" max={parts.length || 1} value={done} />
      <p role="status">
        Loading {now} … {parts.length > 0 && `${Math.min(done + 1, parts.length)} of ${parts.length}`}
      </p>
    </div>
  );
}
