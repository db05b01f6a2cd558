import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { RefusedWrite } from '../lib/refused.ts';
import { FormDialog } from './form-dialog.tsx';

interface ConfirmDialogProps {
  /** The action as a question. */
  readonly title: string;
  readonly verb: string;
  readonly busyVerb: string;
  /** The keys of the nouns that the action changes. Their queries are refetched afterwards. */
  readonly kinds: readonly QueryKey[];
  /** Explains the consequences. */
  readonly children: ReactNode;
  /** Runs the action. Errors are shown in the dialog, which stays open. */
  confirm(): Promise<void>;
  onClose(): void;
}

/** A dialog that confirms an action that cannot be undone. */
export function ConfirmDialog({ confirm, ...dialog }: ConfirmDialogProps) {
  const client = useQueryClient();
  const submit = async () => {
    try {
      await confirm();
    } catch (refusal) {
      if (!(refusal instanceof RefusedWrite && refusal.isOvertaken)) throw refusal;
      // The next attempt must see the current state, also if live updates are not connected.
      await Promise.all(dialog.kinds.map((queryKey) => client.invalidateQueries({ queryKey })));
      throw new RefusedWrite(refusal.code, OVERTAKEN, [], true);
    }
  };
  return <FormDialog {...dialog} canCancel submit={submit} />;
}

const OVERTAKEN = 'This has changed since you opened it. Cancel, review the current version, and start again.';
