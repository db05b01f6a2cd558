import { useQueryClient } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useActionState } from 'react';
import { Refused } from '../graphql/ask.ts';
import button from '../ui/button.module.css';
import { Dialog } from '../ui/dialog.tsx';
import styles from './apply-dialog.module.css';
import { applyDrafts, type DraftRefusal } from './apply-drafts.ts';
import type { Draft } from './draft.ts';
import { isReady } from './draft-operations.ts';
import type { DraftsHandle } from './drafts.ts';

interface ApplyDialogProps {
  readonly handle: DraftsHandle;
  onClose(): void;
  onRefused(refusals: ReadonlyMap<string, DraftRefusal>): void;
}

/** All drafts, what each replaces, and why they are made; applied together or not at all. */
export function ApplyDialog({ handle, onClose, onRefused }: ApplyDialogProps) {
  const { drafts, settle } = handle;
  const client = useQueryClient();
  const ready = [...drafts.values()].filter(isReady).length;
  const [trouble, submit, isBusy] = useActionState(async (_: string | null, form: FormData) => {
    try {
      const outcome = await applyDrafts(drafts, String(form.get('message') ?? '').trim());
      if (outcome.kind === 'applied') {
        settle(outcome.keys);
        await client.invalidateQueries({ queryKey: ['matrix'] });
        void client.invalidateQueries({ queryKey: ['explain'] });
      } else {
        onRefused(outcome.byKey);
        if (outcome.message !== null) return outcome.message;
      }
    } catch (error) {
      if (error instanceof Refused) return error.message;
      throw error;
    }
    onClose();
    return null;
  }, null);
  return (
    <Dialog title={ready === 1 ? 'Apply this change?' : `Apply these ${ready} changes?`} onClose={onClose}>
      <form className={styles.form} action={submit}>
        <p className={styles.about}>
          All of it becomes one revision, or nothing. Environments below inherit what is set, unless they have a value
          of their own.
        </p>
        <ul className={styles.list}>
          {[...drafts].map(([key, draft]) => (
            <Change key={key} draft={draft} />
          ))}
        </ul>
        <label className={styles.message}>
          Why (kept in the history)
          <input name="message" maxLength={1_000} autoComplete="off" />
        </label>
        {trouble !== null && (
          <p className={styles.trouble} role="alert">
            {trouble}
          </p>
        )}
        <div className={styles.foot}>
          <button type="button" className={button.plain} onClick={onClose}>
            Go on editing
          </button>
          <button type="submit" className={button.main} disabled={isBusy || ready === 0}>
            {isBusy ? 'Applying …' : 'Apply'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function Change({ draft }: { readonly draft: Draft }) {
  const { name, projectName, environmentName, base } = draft;
  return (
    <li className={styles.change}>
      <span className={styles.name}>{name}</span>
      <span className={styles.place}>
        {projectName} · {environmentName}
      </span>
      <span className={styles.texts}>
        <del>{draft.isSecret ? '•••••' : textShown(base.text)}</del>
        <ArrowRight size={12} role="img" aria-label="becomes" />
        <ins>{wishShown(draft)}</ins>
      </span>
    </li>
  );
}

function wishShown({ wish, isSecret }: Draft): string {
  switch (wish.kind) {
    case 'unset':
      return 'inherits again';
    case 'null':
      return 'null';
    case 'retype':
      return 'type it again: its text was not kept';
    case 'set':
      return isSecret ? 'a new secret' : textShown(wish.text);
  }
}

/** Enough to be recognized. */
const SHOWN_MAX = 300;

function textShown(text: string | null | undefined): string {
  if (text === undefined) return 'not set';
  return text === null ? 'null' : text === '' ? 'empty' : text.slice(0, SHOWN_MAX);
}
