import type { ExportKind, ExportScope } from '../../data/exports.ts';
import type { CopiedView } from '../../kit/copy-as/requests.ts';

/** The maximum number of names in a copied request. */
const NAMES_MAX = 100;

/** Returns the export as a request that programs can send; null if one request cannot select the names. */
export function describeCopiedView(scope: ExportScope, kind: ExportKind): CopiedView | null {
  const { names = [] } = scope;
  if (kind.kind === 'template') return { ...scope, kind: 'template', templateId: kind.id };
  if (names.length > NAMES_MAX || names.some((name) => name.includes(','))) return null;
  return kind.kind === 'json' ? { ...scope, kind: 'configuration' } : { ...scope, kind: 'file', output: kind.output };
}
