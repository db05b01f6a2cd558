import { FileText } from 'lucide-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { FileInput } from './file-input.tsx';
import styles from './first-run-page.module.css';

const EnvPreviewForm = lazyPart(async () => (await import('./env-preview-form.tsx')).EnvPreviewForm);

const EXAMPLE = `PORT=8080
LOG_LEVEL=info
DATABASE_URL=postgres://…`;

interface EnvFileProps {
  /** The name of the project in which to create the parameters; null to create a new project. */
  readonly project?: string | null;
}

/**
 * Accepts a `.env` file by paste, drop or selection, and shows its lines with masked secrets. The text itself is never part of the page.
 */
export function EnvFileInput({ project = null }: EnvFileProps) {
  const [source, setSource] = useState<string | null>(null);
  return (
    <section className={styles.way} aria-labelledby="env-file">
      <h2 id="env-file">
        <FileText size={16} aria-hidden /> Paste a .env file
      </h2>
      {source === null ? (
        <FileInput
          label={`Each line becomes a parameter${project ? ` of ${project}` : ''}. You review them before anything is saved.`}
          placeholder={EXAMPLE}
          onTaken={([first]) => setSource(first?.text ?? null)}
        />
      ) : (
        <Suspense>
          <EnvPreviewForm project={project} source={source} onDiscard={() => setSource(null)} />
        </Suspense>
      )}
    </section>
  );
}
