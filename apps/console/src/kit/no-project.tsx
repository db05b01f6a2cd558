import { PageNote } from '../ui/page-note.tsx';
import { UserText } from '../ui/user-text.tsx';

/** Explains that a project does not exist or is forbidden. */
export function NoProject({ name }: { readonly name: string }) {
  return (
    <PageNote>
      There is no project named{' '}
      <strong>
        <UserText>{name}</UserText>
      </strong>
      , or you don’t have access to it.
    </PageNote>
  );
}
