import type { Project } from '@strata/contract';
import type { Call } from '../../platform/http/request.ts';
import { presentPushesOf } from '../exchanges/exchanges.presenter.ts';
import type { ProjectRow } from './projects.reader.ts';

export function presentProject(row: ProjectRow, call: Call): Project {
  const { links } = call;
  return {
    url: links.project(row.id),
    id: row.id,
    ledger_id: row.ledger_id,
    name: row.name,
    parameter_name_pattern: row.parameter_name_pattern,
    description: row.description,
    dependents: row.dependents.map(links.project),
    depends_on: row.depends_on_id === null ? null : links.project(row.depends_on_id),
    access_controlled: row.access_controlled,
    role: row.role,
    ...presentPushesOf(row.pushes, call),
    created_at: row.created_at,
    modified_at: row.modified_at,
  };
}
