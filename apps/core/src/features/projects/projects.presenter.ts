import { Project } from '@strata/contract';
import type { Call } from '../../platform/http/request.ts';
import { shapeRow } from '../../platform/http/shape-row.ts';
import { presentPushes } from '../syncs/syncs.presenter.ts';
import type { ProjectRow } from './projects.reader.ts';

export function presentProject(row: ProjectRow, call: Call): Project {
  const { links } = call;
  return shapeRow(Project, row, {
    url: links.project(row.id),
    dependents: row.dependents.map(links.project),
    depends_on: row.depends_on_id === null ? null : links.project(row.depends_on_id),
    ...presentPushes(row.pushes, call),
  });
}
