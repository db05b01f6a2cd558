import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { WriteError } from '../lib/request-error.ts';
import { FormDialog } from './form-dialog.tsx';

interface ConfirmDialogProps {
  /** The title, which is a question. */
  readonly title: string;
  readonly verb: string;
  readonly busyVerb: string;
  /** The query keys of the data that the action changes. The queries are refetched afterwards. */
  readonly kinds: readonly QueryKey[];
  /** A description of the consequences. */
  readonly children: ReactNode;
  /** Runs the action. If it fails, the dialog stays open and shows the error. */
  confirm(): Promise<void>;
  onClose(): void;
}

/** A dialog that requires a confirmation of an action that cannot be undone. */
export function ConfirmDialog({ confirm, ...dialog }: ConfirmDialogProps) {
  const client = useQueryClient();
  const submit = async () => {
    try {
      await confirm();
    } catch (error) {
      if (!(error instanceof WriteError && error.isOutdated)) throw error;
      // The next attempt must be based on the current state, which may not have arrived yet.
      await Promise.all(dialog.kinds.map((queryKey) => client.invalidateQueries({ queryKey })));
      throw new WriteError(error.code, OVERTAKEN, [], true);
    }
  };
  return <FormDialog {...dialog} canCancel isDestructive submit={submit} />;
}

const OVERTAKEN = 'This has changed since you opened it. Cancel, review the current version, and start again.';
