import { FileText } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import button from '../ui/button.module.css';
import { EnvPreviewForm } from './env-preview-form.tsx';
import styles from './first-run-page.module.css';

const EXAMPLE = `PORT=8080
LOG_LEVEL=info
DATABASE_URL=postgres://…`;

interface EnvFileProps {
  /** Name of the project that gets the parameters; null where a new one is made of them. */
  readonly project?: string | null;
}

/**
 * Takes a `.env` file by paste, drop or choice. What was taken is shown line by line, where texts of secrets are hidden; the text
 * itself is never put into the page.
 */
export function EnvFile({ project = null }: EnvFileProps) {
  const [source, setSource] = useState<string | null>(null);
  return (
    <section className={styles.way} aria-labelledby="env-file">
      <h2 id="env-file">
        <FileText size={16} aria-hidden /> Paste a .env file
      </h2>
      {source === null ? (
        <Taker into={project ?? 'a project'} onTaken={setSource} />
      ) : (
        <EnvPreviewForm project={project} source={source} onDiscard={() => setSource(null)} />
      )}
    </section>
  );
}

function Taker({ into, onTaken }: { readonly into: string; readonly onTaken: (source: string) => void }) {
  const [isTyped, setIsTyped] = useState(false);
  const takeFile = async (file: File | undefined) => {
    if (file) onTaken(await file.text());
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    void takeFile(event.dataTransfer.files[0]);
  };
  const submit = (form: FormData) => onTaken(String(form.get('source') ?? ''));
  return (
    <form className={styles.taker} action={submit} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
      <label htmlFor="source">
        Its lines become the parameters of {into}. You see each of them before anything is stored.
      </label>
      <textarea
        id="source"
        name="source"
        rows={6}
        placeholder={EXAMPLE}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setIsTyped(event.target.value.trim() !== '')}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text/plain');
          if (isTyped || pasted.trim() === '') return;
          // What is pasted is read, and not shown: it may hold secrets.
          event.preventDefault();
          onTaken(pasted);
        }}
      />
      <div className={styles.buttons}>
        <button type="submit" className={button.main} disabled={!isTyped}>
          Preview
        </button>
        <label className={button.plain}>
          Choose a file
          <input type="file" className="heard" onChange={(event) => void takeFile(event.target.files?.[0])} />
        </label>
        <span className={styles.hint}>or drop one here</span>
      </div>
    </form>
  );
}
