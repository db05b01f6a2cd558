import { ConnectPage } from '../../features/connect/connect-page.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';

const NewAccountDialog = lazyPart(
  async () => (await import('../../features/access/service-account-dialogs.tsx')).NewAccountDialog,
);

/** Shows how programs read a project, and creates a key for them. */
export function Connect() {
  return (
    <ConnectPage
      newKey={(proposal, onClose) => <NewAccountDialog roles={['VIEWER']} {...proposal} onClose={onClose} />}
    />
  );
}
