import type { ExportKind, ExportPlace } from '../../data/exports.ts';
import type { Askable } from '../../kit/copy-as/requests.ts';

/** The export as programs request it. */
export function askableOf(place: ExportPlace, kind: ExportKind): Askable {
  switch (kind.kind) {
    case 'file':
      return { ...place, kind: 'file', output: kind.output };
    case 'json':
      return { ...place, kind: 'configuration' };
    case 'template':
      return { ...place, kind: 'template', templateId: kind.id };
  }
}
