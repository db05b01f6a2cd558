import fs from 'node:fs';
import path from 'node:path';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title?: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly targets?: readonly { readonly datasource: object; readonly expr: string; readonly legendFormat: string }[];
}

interface Variable {
  readonly name: string;
  readonly type: string;
  readonly query: string;
}

interface Dashboard {
  readonly templating: { readonly list: readonly Variable[] };
  readonly panels: readonly Panel[];
}

/** Reads the dashboard for Grafana from a folder such as `deploy/grafana`. */
export function readDashboard(folder: string) {
  const { panels, templating } = JSON.parse(fs.readFileSync(path.join(folder, 'strata.json'), 'utf8')) as Dashboard;
  return { all: panels, charts: panels.filter(({ type }) => type !== 'row'), variables: templating.list };
}
