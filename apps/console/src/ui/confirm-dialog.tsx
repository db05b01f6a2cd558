import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { RefusedWrite } from '../lib/refused.ts';
import { FormDialog } from './form-dialog.tsx';

interface ConfirmDialogProps {
  /** What would be done, as a question. */
  readonly title: string;
  readonly verb: string;
  readonly busyVerb: string;
  /** The keys of the nouns that it changes: their queries are read again afterwards. */
  readonly kinds: readonly QueryKey[];
  /** What follows from it. */
  readonly children: ReactNode;
  /** Does it; what it throws is shown, and the dialog stays. */
  confirm(): Promise<void>;
  onClose(): void;
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({ confirm, ...dialog }: ConfirmDialogProps) {
  const client = useQueryClient();
  const submit = async () => {
    try {
      await confirm();
    } catch (refusal) {
      if (!(refusal instanceof RefusedWrite && refusal.isOvertaken)) throw refusal;
      // Who asks again asks of what is there now, also where no change is heard of.
      await Promise.all(dialog.kinds.map((queryKey) => client.invalidateQueries({ queryKey })));
      throw new RefusedWrite(refusal.code, OVERTAKEN, [], true);
    }
  };
  return <FormDialog {...dialog} canCancel submit={submit} />;
}

const OVERTAKEN = 'This has changed since you opened it. Cancel, review the current version, and start again.';
