import { useQuery } from '@tanstack/react-query';
import { Eye, EyeOff, Lock } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { useMayReveal } from '../../data/abilities.ts';
import { type PreviewRequest, preview, previewQuery } from '../../data/templates.ts';
import { NoReveal } from '../../kit/reveal/no-reveal.tsx';
import { type RevealResult, useRevealed } from '../../kit/reveal/reveal.tsx';
import { RequestError } from '../../lib/request-error.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import { ScrollableText } from '../../ui/scroll-area.tsx';
import { UserText } from '../../ui/user-text.tsx';
import { withVisibleCharacters } from '../../ui/visible-characters.ts';
import styles from './preview-pane.module.css';

interface PreviewPaneProps {
  readonly previewed: PreviewRequest;
  readonly text: string;
  /** The control to choose the environment. */
  readonly children: ReactNode;
}

/** The maximum length of a preview. Browsers take too long to lay out longer texts. */
const SHOWN_LENGTH = 200_000;

/** Previews a text in one environment. If the text contains a secret, all of it is masked. */
export function PreviewPane({ previewed, text, children }: PreviewPaneProps) {
  const { environment } = previewed;
  const query = useQuery(previewQuery(previewed, text));
  const mayReveal = useMayReveal();
  const { result, isReading, toggle, hide } = useRevealed((signal) => revealPreview(previewed, text, signal));
  // A revealed preview is hidden when the text or the environment changes.
  const hideBefore = useEffectEvent(hide);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text or environment hides it
  useEffect(() => hideBefore(), [text, environment]);
  return (
    <section
      className={styles.pane}
      aria-label={withVisibleCharacters(`Preview in ${environment}`)}
      aria-busy={query.isFetching}
    >
      <div className={styles.head}>
        {children}
        {query.data?.hasSecret && mayReveal && (
          <button type="button" className={button.quiet} aria-busy={isReading} onClick={toggle}>
            {result ? <EyeOff size={14} aria-hidden /> : <Eye size={14} aria-hidden />} {result ? 'Hide' : 'Reveal'}
          </button>
        )}
      </div>
      {query.error ? (
        <Wrong error={query.error} />
      ) : result ? (
        result.kind === 'text' ? (
          <Text text={result.text ?? ''} isOld={false} />
        ) : (
          <p className={styles.note}>{result.message}</p>
        )
      ) : query.data?.hasSecret ? (
        <p className={styles.note}>
          <Lock size={13} aria-hidden /> Hidden because it contains a secret. Revealing it is recorded.
        </p>
      ) : (
        query.data && <Text text={query.data.body} isOld={query.isPlaceholderData} />
      )}
    </section>
  );
}

/** Replaces the preview if the environment of the URL does not exist. */
export function NoEnvironment({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <section className={styles.pane} aria-label={withVisibleCharacters(`No preview in ${name}`)}>
      <div className={styles.head}>{children}</div>
      <p className={styles.note} role="alert">
        There is no environment named{' '}
        <strong>
          <UserText>{name}</UserText>
        </strong>{' '}
        here. Choose one.
      </p>
    </section>
  );
}

/** The codes of errors in the text, which its author can correct. */
const OF_THE_TEXT = new Set([
  'unknown_reference',
  'invalid_text',
  'dependency_loop',
  'evaluation_failed',
  'too_costly',
]);

function Wrong({ error }: { readonly error: Error }) {
  if (error instanceof RequestError && error.code === 'reveal_forbidden') return <NoReveal />;
  if (!(error instanceof RequestError && OF_THE_TEXT.has(error.code))) return <ActionError error={error} />;
  return (
    <p className={styles.wrong} role="status">
      <UserText>{error.message}</UserText>
    </p>
  );
}

async function revealPreview(request: PreviewRequest, text: string, signal: AbortSignal): Promise<RevealResult> {
  return { kind: 'text', text: (await preview(request, text, true, signal))?.body ?? null };
}

function Text({ text, isOld }: { readonly text: string; readonly isOld: boolean }) {
  if (text === '') return <p className={styles.note}>Empty in this environment.</p>;
  return (
    <>
      <ScrollableText className={styles.text} data-old={isOld || undefined}>
        {text.slice(0, SHOWN_LENGTH)}
      </ScrollableText>
      {text.length > SHOWN_LENGTH && (
        <p className={styles.note}>
          The first {SHOWN_LENGTH.toLocaleString()} of {text.length.toLocaleString()} characters.
        </p>
      )}
    </>
  );
}
