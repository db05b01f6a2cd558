import { useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  type DestinationDetails,
  deleteDestination,
  destinationKeys,
  replayEvents,
  rotateDestinationSecret,
} from '../../data/destinations.ts';
import { formatCount } from '../../lib/format-count.ts';
import button from '../../ui/button.module.css';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, Form, trimmedField } from '../../ui/form.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { OneTimeSecret } from '../../ui/one-time-secret.tsx';
import page from '../../ui/page.module.css';

interface DestinationActionsProps {
  readonly destination: DestinationDetails;
  /** Whether a message is being sent, and whether it is a test message. */
  readonly isSending: boolean;
  readonly isTesting: boolean;
  test(): void;
  /** Shows the result of an action on the page. */
  onNote(note: string | null): void;
}

type OpenDialog = 'replay' | 'rotate' | 'delete';

/** The buttons of a destination, and their dialogs. */
export function DestinationActions({ destination, isSending, isTesting, test, onNote }: DestinationActionsProps) {
  const { id, signing } = destination;
  const [open, setOpen] = useState<{ readonly is: OpenDialog; readonly seen: DestinationDetails } | null>(null);
  const show = (dialog: OpenDialog) => () => {
    onNote(null);
    setOpen({ is: dialog, seen: destination });
  };
  const close = () => setOpen(null);
  return (
    <div className={page.buttons}>
      <button type="button" className={button.main} disabled={isSending} onClick={test}>
        {isTesting ? 'Sending …' : 'Send test message'}
      </button>
      <button type="button" className={button.plain} onClick={show('replay')}>
        Replay events
      </button>
      {signing !== null && (
        <button type="button" className={button.plain} onClick={show('rotate')}>
          {signing === 'hmac' ? 'Rotate secret' : 'Rotate key'}
        </button>
      )}
      <Link to="/destinations/$destination/change" params={{ destination: id }} className={button.plain}>
        Change
      </Link>
      <button type="button" className={button.danger} onClick={show('delete')}>
        Delete
      </button>
      {open?.is === 'replay' && <ReplayDialog destination={open.seen} onNote={onNote} onClose={close} />}
      {open?.is === 'rotate' && <RotateDialog destination={open.seen} onClose={close} />}
      {open?.is === 'delete' && <DeleteDialog destination={open.seen} onClose={close} />}
    </div>
  );
}

interface DestinationDialogProps {
  readonly destination: DestinationDetails;
  onClose(): void;
}

function ReplayDialog({
  destination: { id },
  onNote,
  onClose,
}: DestinationDialogProps & Pick<DestinationActionsProps, 'onNote'>) {
  const submit = async (form: FormData) => {
    const to = trimmedField(form, 'to_revision');
    const { messages, events } = await replayEvents(id, {
      fromRevision: Number(trimmedField(form, 'from_revision')),
      toRevision: to === '' ? null : Number(to),
    });
    onNote(
      messages === 0
        ? 'No events of these revisions match the filter. Nothing is sent.'
        : `${formatCount(messages, 'message')} with ${formatCount(events, 'event')} queued.`,
    );
  };
  const number = { type: 'number', min: 1, step: 1, inputMode: 'numeric' } as const;
  return (
    <FormDialog
      title="Replay events"
      verb="Replay events"
      busyVerb="Queueing …"
      kinds={[destinationKeys.all]}
      canCancel
      submit={submit}
      onClose={onClose}
    >
      <p>The events of these revisions that the filter selects now are sent again, in order, in new messages.</p>
      <Field name="from_revision" label="From revision">
        {(attributes) => <input {...attributes} {...number} required />}
      </Field>
      <Field name="to_revision" label="To revision" hint="Leave this empty for the latest revision.">
        {(attributes) => <input {...attributes} {...number} />}
      </Field>
    </FormDialog>
  );
}

const OVERLAPS = { '0': 'Not at all', '1': 'For 1 hour', '24': 'For 24 hours', '168': 'For 7 days' } as const;

/** Replaces the secret or the key pair, and shows the new one. */
function RotateDialog({ destination: { id, signing }, onClose }: DestinationDialogProps) {
  const client = useQueryClient();
  const [secret, setSecret] = useState<string | null>(null);
  const isHmac = signing === 'hmac';
  const title = isHmac ? 'Rotate secret' : 'Rotate key';
  const submit = async (form: FormData) => {
    const replacedSecret = await rotateDestinationSecret(id, Number(form.get('overlap_hours')));
    void client.invalidateQueries({ queryKey: destinationKeys.all });
    setSecret(replacedSecret.secret ?? replacedSecret.publicKeys[0] ?? null);
  };
  return (
    <Dialog title={title} closesLightly={secret === null || !isHmac} onClose={onClose}>
      {secret === null ? (
        <Form verb={title} busyVerb="Replacing …" submit={submit}>
          <p>
            {isHmac
              ? 'Strata creates a new secret. Enter it at the receiver.'
              : 'Strata creates a new pair of keys. Enter the new public key at the receiver.'}
          </p>
          <Field name="overlap_hours" label={`Also sign with the previous ${isHmac ? 'secret' : 'key'}`}>
            {(attributes) => (
              <select {...attributes} defaultValue="24">
                {Object.entries(OVERLAPS).map(([hours, label]) => (
                  <option key={hours} value={hours}>
                    {label}
                  </option>
                ))}
              </select>
            )}
          </Field>
        </Form>
      ) : isHmac ? (
        <OneTimeSecret secret={secret} copyLabel="Copy secret" onDone={onClose}>
          <p>The receiver verifies the signatures of messages with this secret.</p>
        </OneTimeSecret>
      ) : (
        <>
          <p>
            The new public key is <code>{secret}</code>
          </p>
          <button type="button" className={button.main} onClick={onClose}>
            Done
          </button>
        </>
      )}
    </Dialog>
  );
}

function DeleteDialog({ destination, onClose }: DestinationDialogProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await deleteDestination(destination);
    await navigate({ to: '/webhooks' });
    client.removeQueries({ queryKey: destinationKeys.details(destination.id) });
  };
  return (
    <ConfirmDialog
      title={`Delete the destination ${destination.name}?`}
      verb="Delete"
      busyVerb="Deleting …"
      kinds={[destinationKeys.all]}
      confirm={remove}
      onClose={onClose}
    >
      <p>It receives no more messages. Its address, its secret and its deliveries are deleted.</p>
    </ConfirmDialog>
  );
}
