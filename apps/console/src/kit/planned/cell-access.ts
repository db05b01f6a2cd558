import { formatCount } from '@strata/domain';
import type { ReviewedPlan } from '../../data/plan.ts';

type CellAccess = ReviewedPlan['accessCells'][number];

const ACTIONS: Readonly<Record<string, string>> = { read: 'read', write: 'change', reveal: 'reveal secrets in' };

/** Describes the cells in which a user gains or loses access, as in "Ada can no longer read shop in production". */
export function describeCellAccess(access: CellAccess): string {
  const { person, action, gained, cells, exampleProject: project, exampleEnvironment: environment } = access;
  const verb = `${gained ? 'can' : 'can no longer'} ${ACTIONS[action] ?? action}`;
  const others = cells === 1 ? '' : `, and ${formatCount(cells - 1, 'other cell')}`;
  return `${person} ${verb} ${project} in ${environment}${others}`;
}
