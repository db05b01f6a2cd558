import { useState } from 'react';
import { type AuditFilter, auditRecords, EXPORTED_RECORDS_MAX } from '../../data/audit.ts';
import { ActionError } from '../../ui/action-error.tsx';
import button from '../../ui/button.module.css';
import page from '../../ui/page.module.css';
import { saveFile } from '../../ui/save-file.ts';
import { formatCsv, formatJson } from './audit-file.ts';

interface AuditExportProps {
  readonly filter: Omit<AuditFilter, 'after'>;
  /** The number of records that match the filter. */
  readonly total: number;
}

type Progress =
  | { readonly kind: 'read'; readonly count: number }
  | { readonly kind: 'failed'; readonly error: unknown };

const WRITERS = { csv: formatCsv, json: formatJson };

/** Offers to download all records that match the filter. */
export function AuditExport({ filter, total }: AuditExportProps) {
  const [progress, setProgress] = useState<Progress | null>(null);
  const isBusy = progress?.kind === 'read';
  const save = async (kind: keyof typeof WRITERS) => {
    setProgress({ kind: 'read', count: 0 });
    try {
      const records = await auditRecords(filter, (count) => setProgress({ kind: 'read', count }));
      saveFile(`audit.${kind}`, WRITERS[kind](records));
      setProgress(null);
    } catch (error) {
      setProgress({ kind: 'failed', error });
    }
  };
  return (
    <div>
      <div className={page.buttons}>
        <button type="button" className={button.quiet} disabled={isBusy} onClick={() => void save('csv')}>
          Export as CSV
        </button>
        <button type="button" className={button.quiet} disabled={isBusy} onClick={() => void save('json')}>
          Export as JSON
        </button>
      </div>
      {isBusy && (
        <p role="status" className={page.note}>
          Exporting {progress.count.toLocaleString()} of {Math.min(total, EXPORTED_RECORDS_MAX).toLocaleString()}{' '}
          records …
        </p>
      )}
      {total > EXPORTED_RECORDS_MAX && (
        <p className={page.note}>
          The file contains the newest {EXPORTED_RECORDS_MAX.toLocaleString()} records. Choose dates to export older
          ones.
        </p>
      )}
      {progress?.kind === 'failed' && <ActionError error={progress.error} />}
    </div>
  );
}
