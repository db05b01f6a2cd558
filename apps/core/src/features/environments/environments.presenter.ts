import { Environment } from '@strata/contract';
import type { Links } from '../../platform/http/links.ts';
import { shapeRow } from '../../platform/http/shape-row.ts';
import type { EnvironmentRow } from './environments.reader.ts';

export function presentEnvironment(row: EnvironmentRow, links: Links): Environment {
  return shapeRow(Environment, row, {
    url: links.environment(row.id),
    parent: row.parent_id === null ? null : links.environment(row.parent_id),
    children: row.children.map(links.environment),
  });
}
