import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useAbility } from '../../data/abilities.ts';
import {
  accessRequestKeys,
  accessRequestsQuery,
  type Decision,
  decideRequest,
  type ListedRequest,
  withdrawRequest,
} from '../../data/access-requests.ts';
import { grantKeys } from '../../data/grants.ts';
import { displayName } from '../../data/people.ts';
import { viewerKeys, viewerQuery } from '../../data/session.ts';
import { roleWord } from '../../lib/role-word.ts';
import button from '../../ui/button.module.css';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { TextField, trimmedField } from '../../ui/form.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ListPage } from '../../ui/list-page.tsx';
import { type ListColumn, ListTable } from '../../ui/list-table.tsx';
import { useNow } from '../../ui/use-now.ts';
import { UserText } from '../../ui/user-text.tsx';
import { When } from '../../ui/when.tsx';
import { AccessPage } from './access-page.tsx';
import { RequestAccessDialog } from './request-access-dialog.tsx';

type Action = Decision | 'withdraw';
type OpenDialog = { readonly kind: 'new' } | { readonly kind: Action; readonly request: ListedRequest };

const COLUMNS: readonly ListColumn<ListedRequest>[] = [
  { title: 'Access', cell: (request) => <UserText>{describeRight(request)}</UserText> },
  { title: 'Requested by', cell: ({ requester }) => requester && <UserText>{displayName(requester)}</UserText> },
  { title: 'Why', cell: ({ message }) => <UserText>{message}</UserText> },
  { title: 'Status', cell: (request) => <Status request={request} /> },
];

const DECISIONS = {
  approve: { title: 'Approve', busyVerb: 'Approving …' },
  decline: { title: 'Decline', busyVerb: 'Declining …' },
  revoke: { title: 'End access', busyVerb: 'Ending …' },
} as const;

/** Lists requests for access that ends at a time. */
export function AccessRequestsPage() {
  const requests = useQuery(accessRequestsQuery);
  const { data: viewer } = useQuery(viewerQuery);
  const managesMembers = useAbility('change_membership');
  const now = useNow();
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const canDecide = ({ scopeId, reveal }: ListedRequest) =>
    reveal
      ? managesMembers
      : (viewer?.abilities.scopes.find((scope) => scope.scopeId === scopeId)?.abilities ?? []).includes('grant');
  const actionsOn = (request: ListedRequest) => {
    const isOwn = request.requesterId === viewer?.user.id;
    const isValid = request.state === 'approved' && Date.parse(request.expiresAt ?? '') > now;
    const actions: readonly (readonly [Action, string, boolean])[] = [
      ['approve', 'Approve', request.state === 'pending' && canDecide(request)],
      ['decline', 'Decline', request.state === 'pending' && canDecide(request)],
      ['withdraw', 'Withdraw', request.state === 'pending' && isOwn],
      ['revoke', 'End access', isValid && (isOwn || canDecide(request))],
    ];
    return actions.flatMap(([kind, title, isPossible]) =>
      isPossible ? [{ title, joint: ' ', onChoose: () => setOpen({ kind, request }) }] : [],
    );
  };
  const newRequest = (
    <button type="button" className={button.main} onClick={() => setOpen({ kind: 'new' })}>
      <Plus size={14} aria-hidden /> Request access
    </button>
  );
  return (
    <AccessPage>
      <ListPage
        label="Requests"
        query={requests}
        about="Request access to a restricted project or environment for a limited time. Members who can grant it decide. The access ends by itself."
        action={newRequest}
        empty={
          <Empty title="No requests yet">
            <p>
              Request access to a restricted project or environment for a limited time. This page lists your requests,
              and those that you can approve.
            </p>
            {newRequest}
          </Empty>
        }
        textsOf={(request) => [describeRight(request), request.message]}
      >
        {(rows) => <ListTable rows={rows} columns={COLUMNS} nameOf={describeRight} actionsOn={actionsOn} />}
      </ListPage>
      {open?.kind === 'new' && <RequestAccessDialog onClose={() => setOpen(null)} />}
      {open && open.kind !== 'new' && (
        <ActionDialog action={open.kind} request={open.request} onClose={() => setOpen(null)} />
      )}
    </AccessPage>
  );
}

/** Returns the scope and the role of a request, such as "shop, contributor". */
function describeRight({ scope, role, isBreakGlass }: ListedRequest): string {
  if (role === null) return isBreakGlass ? 'Break-glass read' : 'Reveal secrets';
  const name = scope?.__typename === 'Project' ? scope.projectName : scope?.environmentName;
  return `${name ?? 'deleted'}, ${roleWord(role)}`;
}

function Status({ request: { state, expiresAt, durationMinutes } }: { readonly request: ListedRequest }) {
  const now = useNow();
  if (state === 'pending') return `Pending, for ${describeDuration(durationMinutes)}`;
  if (state !== 'approved' || expiresAt === null) return state === 'declined' ? 'Declined' : 'Ended early';
  return (
    <>
      {Date.parse(expiresAt) > now ? 'Approved until ' : 'Ended '}
      <When at={expiresAt} as="date" />
    </>
  );
}

function describeDuration(minutes: number): string {
  if (minutes % 1_440 === 0) return `${minutes / 1_440} d`;
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`;
}

interface ActionDialogProps {
  readonly action: Action;
  readonly request: ListedRequest;
  onClose(): void;
}

function ActionDialog({ action, request, onClose }: ActionDialogProps) {
  const kinds = [accessRequestKeys.all, grantKeys.all, viewerKeys.all];
  const right = describeRight(request);
  if (action === 'withdraw') {
    return (
      <ConfirmDialog
        title={`Withdraw the request: ${right}?`}
        verb="Withdraw"
        busyVerb="Withdrawing …"
        kinds={kinds}
        confirm={() => withdrawRequest(request.id)}
        onClose={onClose}
      >
        <p>You can request the access again later.</p>
      </ConfirmDialog>
    );
  }
  const { title, busyVerb } = DECISIONS[action];
  return (
    <FormDialog
      title={`${title}: ${right}`}
      verb={title}
      busyVerb={busyVerb}
      kinds={kinds}
      isDestructive={action === 'revoke'}
      submit={(form) => decideRequest(action, request.id, trimmedField(form, 'message'))}
      onClose={onClose}
    >
      <TextField name="message" label="Message (optional)" hint="The history shows it." />
    </FormDialog>
  );
}
