import { useMutation } from '@tanstack/react-query';
import { Download, Eye, EyeOff, Lock } from 'lucide-react';
import { useState } from 'react';
import { useMayReveal } from '../../data/abilities.ts';
import { type ExportKind, type ExportScope, readUnmaskedExport } from '../../data/exports.ts';
import { NoReveal } from '../../kit/reveal/no-reveal.tsx';
import { useAutoHide } from '../../kit/reveal/use-auto-hide.ts';
import { RequestError } from '../../lib/request-error.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import { copySecret } from '../../ui/clipboard.ts';
import page from '../../ui/page.module.css';
import { saveFile } from '../../ui/save-file.ts';
import { ScrollArea } from '../../ui/scroll-area.tsx';
import styles from './export-page.module.css';
import { OmittedParameters } from './omitted-parameters.tsx';

interface InClearProps {
  readonly place: ExportScope;
  readonly kind: ExportKind;
  /** The name of the file. */
  readonly name: string;
}

async function copy(text: string): Promise<void> {
  try {
    await copySecret(text);
  } catch {
    throw new RequestError(
      'NO_CLIPBOARD',
      'Your browser does not let this page copy. Show it and copy it manually.',
      null,
    );
  }
}

/** Shows, copies or downloads the export with secrets in plain text. It is loaded each time and never stored. */
export function UnmaskedExport(props: InClearProps) {
  const mayReveal = useMayReveal();
  return (
    <section className={styles.clear} aria-labelledby="in-clear">
      <h2 id="in-clear">
        <Lock size={14} aria-hidden /> With secrets
      </h2>
      {mayReveal ? <Unmasked {...props} /> : <NoReveal />}
    </section>
  );
}

interface UnmaskedUse {
  /** The sentence that confirms the use. */
  readonly notice?: string;
  use(text: string): void | Promise<void>;
}

function Unmasked({ place, kind, name }: InClearProps) {
  const [shownFile, setShown] = useState<{ readonly text: string } | null>(null);
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async ({ use, notice }: UnmaskedUse) => {
      const { body, omitted } = await readUnmaskedExport(place, kind);
      await use(body);
      return { notice, omitted };
    },
  });
  useAutoHide(shownFile, () => setShown(null));
  // If the window has lost the focus meanwhile, the text is not shown.
  const show = (text: string) => setShown(document.hasFocus() ? { text } : null);
  return (
    <>
      <p className={page.note}>
        Secrets are masked above. Each time you reveal them, the access log records your name and the time.
      </p>
      <div className={page.buttons}>
        <button
          type="button"
          className={button.plain}
          disabled={isPending}
          onClick={() => (shownFile === null ? mutate({ use: show }) : setShown(null))}
        >
          {shownFile === null ? <Eye size={14} aria-hidden /> : <EyeOff size={14} aria-hidden />}
          {shownFile === null ? 'Show for 30 seconds' : 'Hide'}
        </button>
        <button
          type="button"
          className={button.plain}
          disabled={isPending}
          onClick={() => mutate({ use: copy, notice: 'Copied with secrets for 60 seconds.' })}
        >
          Copy with secrets
        </button>
        <button
          type="button"
          className={button.plain}
          disabled={isPending}
          onClick={() => mutate({ use: (text) => saveFile(name, text), notice: 'Downloaded with secrets.' })}
        >
          <Download size={14} aria-hidden /> Download with secrets
        </button>
      </div>
      <p role="status" className={page.note}>
        {isPending ? 'Loading …' : data?.notice}
      </p>
      {data?.omitted && <OmittedParameters kind={kind} omitted={data.omitted} />}
      {error !== null && <ActionError error={error} />}
      {shownFile !== null && (
        <ScrollArea label="File with secrets" className={styles.shown}>
          <pre className={styles.body}>{shownFile.text}</pre>
        </ScrollArea>
      )}
    </>
  );
}
