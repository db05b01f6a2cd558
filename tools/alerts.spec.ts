import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { writeMetrics } from '../apps/cli/src/edge/metrics.ts';
import { prometheusName } from '../libs/telemetry/src/index.ts';
import { listAnchors } from './docs/links.ts';
import { labelNames, METRICS, namesInQuery } from './testing/documented-metrics.ts';

interface Alert {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly runbook_url: string };
}

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
const rules = parse(read('deploy/prometheus/strata.rules.yml')) as {
  readonly groups: readonly { readonly rules: readonly Alert[] }[];
};
const alerts = rules.groups.flatMap((group) => group.rules);
const RUNBOOK = 'docs/reference/runbook.md';

test.each(alerts)('the alert $alert leads to a section of the runbook', ({ alert, annotations }) => {
  const [page, anchor = ''] = annotations.runbook_url.split('#');
  expect([page, anchor]).toEqual([RUNBOOK, alert.toLowerCase()]);
  expect(listAnchors(root, RUNBOOK)).toContain(anchor);
});

test('the runbook has no section for an alert that does not exist', () => {
  const sections = listAnchors(root, RUNBOOK).filter((anchor) => anchor.startsWith('strata'));
  expect(sections.toSorted()).toEqual(alerts.map(({ alert }) => alert.toLowerCase()).toSorted());
});

test('alerts use only metrics that exist', () => {
  const queries = alerts.map(({ expr }) => namesInQuery(expr));
  expect(queries.flatMap(({ metrics }) => metrics).length).toBeGreaterThan(10);
  expect(queries.flatMap(({ unknown }) => unknown)).toEqual([]);
});

test('docs/reference/metrics.md lists exactly the metrics of the processes, with their labels', () => {
  const rows = [...read('docs/reference/metrics.md').matchAll(/^\| `([a-z0-9_]+)` \|(.*?)\|/gm)];
  const documented = rows.map(([, name, labels]) => `${name}: ${labels?.trim()}`);
  const expected = METRICS.map((metric) => {
    const labels = labelNames(metric).map((label) => `\`${label}\``);
    return `${prometheusName(metric)}: ${labels.join(', ')}`;
  });
  expect(documented.toSorted()).toEqual([...expected, ...edgeMetrics()].toSorted());
});

/** Returns the metrics that an edge writes, with their labels. */
function edgeMetrics(): readonly string[] {
  const parts = {
    ...{ upstream: {}, scopes: [], callers: {}, streams: {}, record: {}, snapshot: {} },
    server: { counts: { served: 0 } },
  };
  const text = writeMetrics(parts as unknown as Parameters<typeof writeMetrics>[0]);
  return [...text.matchAll(/^# TYPE (\w+) \w+\n\1(?:\{(\w+)=)?/gm)].map(
    ([, name, label]) => `${name}: ${label === undefined ? '' : `\`${label}\``}`,
  );
}
