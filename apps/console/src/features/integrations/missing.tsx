import { Link } from '@tanstack/react-router';
import page from '../../ui/page.module.css';
import { PageNote } from '../../ui/page-note.tsx';

/** Shown in place of an integration, a pull or a push that does not exist. */
export function Missing({ noun }: { readonly noun: 'integration' | 'pull' | 'push' }) {
  return (
    <PageNote>
      There is no such {noun}. It may have been deleted. <AllIntegrations />
    </PageNote>
  );
}

/** Shown in place of a form to users who may not send it. */
export function NotAllowed() {
  return (
    <PageNote>
      This form creates and changes integrations and their pushes. <AllIntegrations />
    </PageNote>
  );
}

function AllIntegrations() {
  return (
    <Link to="/integrations" className={page.link}>
      All integrations
    </Link>
  );
}
