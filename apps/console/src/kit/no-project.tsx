import { Given } from '../ui/given.tsx';
import { PageNote } from '../ui/page-note.tsx';

/** Where a project should be shown that is not there for who looks. */
export function NoProject({ name }: { readonly name: string }) {
  return (
    <PageNote>
      There is no project named{' '}
      <strong>
        <Given>{name}</Given>
      </strong>
      , or you don’t have access to it.
    </PageNote>
  );
}
