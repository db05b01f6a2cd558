import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import {
  createRotation,
  type ListedRotation,
  mayCreateRotations,
  mayRotate,
  type NewRotation,
  rotationKeys,
  rotationsQuery,
  updateRotation,
} from '../../data/rotations.ts';
import { viewerQuery } from '../../data/session.ts';
import button from '../../ui/button.module.css';
import { Loaded } from '../../ui/loaded.tsx';
import page from '../../ui/page.module.css';
import { PageNote } from '../../ui/page-note.tsx';
import { ChangeRotationForm, NewRotationForm, type Schedule } from './rotation-form.tsx';

const changed = getRouteApi('/inside/rotations/$rotation/change');

export function NewRotationPage() {
  const { data: viewer } = useQuery(viewerQuery);
  const finish = useFinish();
  if (!mayCreateRotations(viewer)) return <NotAllowed />;
  const submit = async (input: NewRotation) => {
    await createRotation(input);
    await finish();
  };
  return (
    <div className={page.page}>
      <NewRotationForm viewer={viewer} submit={submit} aside={<Cancel />} />
    </div>
  );
}

export function ChangeRotationPage() {
  const { rotation: id } = changed.useParams();
  // The rotation is not refetched, so that the input stays when another user changes the rotation.
  const query = useQuery({
    ...rotationsQuery,
    refetchInterval: false,
    select: (rotations) => rotations.find((rotation) => rotation.id === id) ?? null,
  });
  const { data: viewer } = useQuery(viewerQuery);
  return (
    <Loaded query={query} missing={<NotAllowed />}>
      {(rotation) => (mayRotate(viewer, rotation) ? <ChangeRotation key={id} current={rotation} /> : <NotAllowed />)}
    </Loaded>
  );
}

function ChangeRotation({ current }: { readonly current: ListedRotation }) {
  const [initial] = useState(current);
  const finish = useFinish();
  const submit = async (input: Schedule) => {
    await updateRotation(initial.id, input);
    await finish();
  };
  return (
    <div className={page.page}>
      <ChangeRotationForm rotation={initial} submit={submit} aside={<Cancel />} />
    </div>
  );
}

const Cancel = () => (
  <Link to="/rotations" className={button.quiet}>
    Cancel
  </Link>
);

/** Shown in place of a form to users who may not send it, and if the rotation does not exist. */
function NotAllowed() {
  return (
    <PageNote>
      This form creates and changes rotations of secrets that you may change and reveal.{' '}
      <Link to="/rotations" className={page.link}>
        All rotations
      </Link>
    </PageNote>
  );
}

/** Returns a function that opens the list of rotations in place of the form. */
function useFinish(): () => Promise<void> {
  const client = useQueryClient();
  const navigate = useNavigate();
  return async () => {
    await client.invalidateQueries({ queryKey: rotationKeys.all });
    await navigate({ to: '/rotations', replace: true });
  };
}
