import fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { CORE_METRICS } from '../apps/core/src/telemetry/metrics.ts';
import { GATEWAY_METRICS } from '../apps/gateway/src/telemetry/metrics.ts';
import { HTTP_METRICS, type Metric, PROCESS_METRICS, prometheusName } from '../libs/telemetry/src/index.ts';
import { anchorsOf } from './docs/links.ts';

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

/** The metrics by the processes that have them. */
const METRICS: Readonly<Record<string, readonly Metric[]>> = {
  'core, gateway': [...Object.values(HTTP_METRICS), ...Object.values(PROCESS_METRICS)],
  core: Object.values(CORE_METRICS),
  gateway: Object.values(GATEWAY_METRICS),
};
const names = Object.values(METRICS).flat().map(prometheusName);

test.each(alerts)('the alert $alert leads to a section of the runbook', ({ alert, annotations }) => {
  const [page, anchor = ''] = annotations.runbook_url.split('#');
  expect([page, anchor]).toEqual([RUNBOOK, alert.toLowerCase()]);
  expect(anchorsOf(root, RUNBOOK)).toContain(anchor);
});

test('the runbook has no section for an alert that does not exist', () => {
  const sections = anchorsOf(root, RUNBOOK).filter((anchor) => anchor.startsWith('strata'));
  expect(sections.toSorted()).toEqual(alerts.map(({ alert }) => alert.toLowerCase()).toSorted());
});

test('alerts use only metrics that exist', () => {
  const used = alerts.flatMap(
    ({ expr }) => expr.match(/\b(?:http|db|nodejs|v8js|process|strata)_\w+(?=[{[)\s])/g) ?? [],
  );
  const known = new Set(names.flatMap((name) => [name, `${name}_count`, `${name}_bucket`]));
  const labels = new Set(
    Object.values(METRICS)
      .flat()
      .flatMap(({ labels = [] }) => labels.map((label) => label.replaceAll('.', '_'))),
  );
  expect(used.length).toBeGreaterThan(10);
  expect(used.filter((name) => !known.has(name) && !labels.has(name))).toEqual([]);
});

test('docs/reference/metrics.md lists exactly the metrics of the processes, with their labels', () => {
  const rows = [...read('docs/reference/metrics.md').matchAll(/^\| `([a-z0-9_]+)` \|(.*?)\|/gm)];
  const documented = rows.map(([, name, labels]) => `${name}: ${labels?.trim()}`);
  const expected = Object.values(METRICS)
    .flat()
    .map((metric) => {
      const labels = (metric.labels ?? []).map((label) => `\`${label.replaceAll('.', '_')}\``);
      return `${prometheusName(metric)}: ${labels.join(', ')}`;
    });
  expect(documented.toSorted()).toEqual(expected.toSorted());
});
