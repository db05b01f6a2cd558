import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import {
  abortRotation,
  deleteRotation,
  dismissFromRotation,
  type ListedRotation,
  mayCreateRotations,
  mayRotate,
  rotateSecret,
  rotationKeys,
  rotationsQuery,
} from '../../data/rotations.ts';
import { viewerQuery } from '../../data/session.ts';
import { formatCount } from '../../lib/format-count.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { Facts } from '../../ui/facts.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import objects from '../../ui/objects.module.css';
import page from '../../ui/page.module.css';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { needsPerson, STAGES, STATES, sortByUrgency } from './rotation-descriptions.ts';

/** Lists the rotations of secrets with what they wait for. */
export function RotationsPage() {
  const rotations = useQuery(rotationsQuery);
  const { data: viewer } = useQuery(viewerQuery);
  const mayCreate = mayCreateRotations(viewer);
  const urgent = (rotations.data ?? []).filter(needsPerson).length;
  return (
    <div className={page.page}>
      <ListPage
        label="Rotations"
        query={rotations}
        textsOf={({ name, project, parameter }) => [name, project?.name ?? null, parameter?.name ?? null]}
        about={
          <>
            {urgent > 0 && (
              <b className={objects.bad}>
                {formatCount(urgent, 'rotation')} {urgent === 1 ? 'needs' : 'need'} attention.{' '}
              </b>
            )}
            A rotation replaces the credential in a secret, and revokes the previous one when no program uses it any
            more.
          </>
        }
        action={mayCreate && <NewRotation />}
        empty={
          <Empty title="No rotations yet">
            <p>
              A rotation replaces the credential in a secret, and revokes the previous one when every program uses the
              new one.
            </p>
            {mayCreate && <NewRotation />}
          </Empty>
        }
      >
        {(rows) => sortByUrgency(rows).map((rotation) => <RotationSection key={rotation.id} rotation={rotation} />)}
      </ListPage>
    </div>
  );
}

const NewRotation = () => (
  <Link to="/rotations/new" className={button.main}>
    <Plus size={15} aria-hidden /> Create rotation
  </Link>
);

interface RotationProps {
  readonly rotation: ListedRotation;
}

function RotationSection({ rotation }: RotationProps) {
  const { id, name, state, stage, stageSince, reason, lastRotatedAt, nextRotationAt, nextAttemptAt } = rotation;
  const { data: viewer } = useQuery(viewerQuery);
  const isAllowed = state !== 'held' && mayRotate(viewer, rotation);
  return (
    <section className={page.part} aria-labelledby={`rotation-${id}`}>
      <div className={page.head}>
        <div className={objects.title}>
          <h2 id={`rotation-${id}`}>
            <UserText>{name}</UserText>
          </h2>
          <span className={page.badge} data-danger={needsPerson(rotation) || undefined}>
            {STATES[state]}
          </span>
        </div>
        {mayRotate(viewer, rotation) && <Actions rotation={rotation} />}
      </div>
      {reason !== null && (
        <p className={needsPerson(rotation) ? objects.problem : page.note}>
          <UserText>{reason}</UserText>
        </p>
      )}
      <Facts
        facts={{
          Secret: <Secret rotation={rotation} />,
          Step: stage === 'idle' ? null : STAGES[stage],
          'Step began': stage === 'idle' ? null : <When at={stageSince} />,
          'Next attempt': nextAttemptAt && <When at={nextAttemptAt} as="upcoming" />,
          'Next rotation': nextRotationAt && <When at={nextRotationAt} as="upcoming" />,
          'Last rotation': lastRotatedAt === null ? 'Never' : <When at={lastRotatedAt} />,
        }}
      />
      <Pending rotation={rotation} isAllowed={isAllowed} />
    </section>
  );
}

function Secret({ rotation: { project, parameter, environment } }: RotationProps) {
  if (!project || !parameter) return null;
  return (
    <>
      <Link
        to="/projects/$name/parameters/$parameter"
        params={{ name: project.name, parameter: parameter.name }}
        className={page.link}
      >
        <UserText>{parameter.name}</UserText> of <UserText>{project.name}</UserText>
      </Link>
      {environment && (
        <>
          {' '}
          in <UserText>{environment.name}</UserText>
        </>
      )}
    </>
  );
}

function Actions({ rotation: { id, name, state, stage } }: RotationProps) {
  const [dialog, setDialog] = useState<'abort' | 'delete' | null>(null);
  const client = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => rotateSecret(id),
    onSettled: () => client.invalidateQueries({ queryKey: rotationKeys.all }),
  });
  const canRotate = state === 'idle' || state === 'stopped';
  return (
    <>
      <div className={page.buttons}>
        {canRotate && (
          <button type="button" className={button.plain} disabled={isPending} onClick={() => mutate()}>
            {stage === 'idle' ? 'Rotate now' : 'Continue'}
          </button>
        )}
        <Link to="/rotations/$rotation/change" params={{ rotation: id }} className={button.plain}>
          Edit
        </Link>
        {state !== 'idle' && state !== 'held' && (
          <button type="button" className={button.danger} onClick={() => setDialog('abort')}>
            Abort
          </button>
        )}
        <button type="button" className={button.danger} onClick={() => setDialog('delete')}>
          Delete
        </button>
      </div>
      {error !== null && <ActionError error={error} />}
      {dialog === 'abort' && (
        <ConfirmDialog
          title={`Abort the rotation ${name}?`}
          verb="Abort"
          busyVerb="Aborting …"
          kinds={[rotationKeys.all]}
          confirm={() => abortRotation(id)}
          onClose={() => setDialog(null)}
        >
          <p>
            If the new credential is not published yet, it is revoked. Otherwise, both credentials stay valid, and the
            next rotation revokes the previous one first.
          </p>
        </ConfirmDialog>
      )}
      {dialog === 'delete' && (
        <ConfirmDialog
          title={`Delete the rotation ${name}?`}
          verb="Delete rotation"
          busyVerb="Deleting …"
          kinds={[rotationKeys.all]}
          confirm={() => deleteRotation(id)}
          onClose={() => setDialog(null)}
        >
          <p>
            The credentials and the value stay as they are.
            {stage !== 'idle' &&
              ' The rotation has not ended: a new credential that is not published stays valid. Abort it first.'}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

function PendingPush({ push }: { readonly push: ListedRotation['pendingPushes'][number] }) {
  const { id, name, integrationId, provider } = push;
  // A deleted push has no page.
  if (integrationId === null || provider === null) {
    return (
      <span className={objects.listName}>
        <UserText>{name}</UserText>
      </span>
    );
  }
  return (
    <Link
      to="/integrations/$provider/$integration/pushes/$push"
      params={{ provider, integration: integrationId, push: id }}
      className={page.link}
    >
      <UserText>{name}</UserText>
    </Link>
  );
}

/** An instance or a push that a rotation waits for. */
interface Dismissal {
  /** The instance or the push by name, such as `the push nightly`. */
  readonly label: string;
  readonly input: { readonly instances: readonly string[] } | { readonly pushes: readonly string[] };
}

function Pending({ rotation, isAllowed }: RotationProps & { readonly isAllowed: boolean }) {
  const [dismissal, setDismissal] = useState<Dismissal | null>(null);
  const { id, pending, pendingPushes, pendingCount } = rotation;
  const hidden = pendingCount - pending.length - pendingPushes.length;
  if (pendingCount === 0) return null;
  const dismissButton = (label: string, input: Dismissal['input']) =>
    isAllowed && (
      <button type="button" className={button.plain} onClick={() => setDismissal({ label, input })}>
        Dismiss
      </button>
    );
  return (
    <>
      <p className={page.note} id={`pending-${id}`}>
        Waits for
      </p>
      <ul className={objects.list} aria-labelledby={`pending-${id}`}>
        {pending.map((row) => (
          <li key={row.id} className={objects.line}>
            <span className={objects.listName}>
              <UserText>{row.instance}</UserText>
            </span>
            <span className={objects.summary}>
              Instance of <UserText>{row.account}</UserText>
            </span>
            <div className={objects.health}>
              <p>
                {row.isAlive ? 'Has not acknowledged the new credential. ' : 'Does not report any more. '}
                {row.reason !== null && (
                  <>
                    It rejected the configuration: <UserText>{row.reason}</UserText>.{' '}
                  </>
                )}
                Last report <When at={row.seenAt} />.
              </p>
            </div>
            {/* The core rejects the dismissal of an instance that still reports. */}
            <div>{!row.isAlive && dismissButton(`the instance ${row.instance}`, { instances: [row.id] })}</div>
          </li>
        ))}
        {pendingPushes.map((row) => (
          <li key={row.id} className={objects.line}>
            <PendingPush push={row} />
            <span className={objects.summary}>
              Push of <UserText>{row.integrationName}</UserText>
            </span>
            <div className={objects.health}>{row.reason}</div>
            <div>{dismissButton(`the push ${row.name}`, { pushes: [row.id] })}</div>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <p className={page.note}>And {hidden} more that you cannot access, or that do not fit in this list.</p>
      )}
      {dismissal && <DismissDialog rotationId={id} dismissal={dismissal} onClose={() => setDismissal(null)} />}
    </>
  );
}

interface DismissDialogProps {
  readonly rotationId: string;
  readonly dismissal: Dismissal;
  onClose(): void;
}

function DismissDialog({ rotationId, dismissal: { label, input }, onClose }: DismissDialogProps) {
  return (
    <ConfirmDialog
      title={`Dismiss ${label}?`}
      verb="Dismiss"
      busyVerb="Dismissing …"
      kinds={[rotationKeys.all]}
      confirm={() => dismissFromRotation(rotationId, { instances: [], pushes: [], ...input })}
      onClose={onClose}
    >
      <p>The rotation does not wait for it any more. A program that still uses the previous credential loses access.</p>
    </ConfirmDialog>
  );
}
