import { Terminal } from 'lucide-react';
import { Suspense, useState } from 'react';
import button from '../../ui/button.module.css';
import { lazyPart } from '../../ui/lazy-part.tsx';
import type { CopyAsDialogProps } from './copy-as-dialog.tsx';

const CopyAsDialog = lazyPart(async () => (await import('./copy-as-dialog.tsx')).CopyAsDialog);

/** Offers the visible data as requests that programs can send. */
export function CopyAs(props: Omit<CopyAsDialogProps, 'onClose'>) {
  const [isShown, setShown] = useState(false);
  return (
    <>
      <button type="button" className={button.quiet} onClick={() => setShown(true)}>
        <Terminal size={14} aria-hidden /> Copy as …
      </button>
      {isShown && (
        <Suspense>
          <CopyAsDialog {...props} onClose={() => setShown(false)} />
        </Suspense>
      )}
    </>
  );
}
