import type { ExportKind, ExportScope } from '../../data/exports.ts';
import type { CopiedView } from '../../kit/copy-as/requests.ts';

/** Returns the export as a request that programs can send. */
export function copiedViewOf(place: ExportScope, kind: ExportKind): CopiedView {
  switch (kind.kind) {
    case 'file':
      return { ...place, kind: 'file', output: kind.output };
    case 'json':
      return { ...place, kind: 'configuration' };
    case 'template':
      return { ...place, kind: 'template', templateId: kind.id };
  }
}
