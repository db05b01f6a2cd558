import path from 'node:path';
import { prometheusName } from '../libs/telemetry/src/index.ts';
import { readDashboard } from './testing/dashboard.ts';
import { METRICS, namesInQuery } from './testing/documented-metrics.ts';

const { all, charts, variables } = readDashboard(path.resolve(import.meta.dirname, '../deploy/grafana'));
const queries = charts.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ title, expr })));

test('the dashboard has variables for data source, job and instance', () => {
  expect(variables.map(({ name, type }) => [name, type])).toEqual([
    ['datasource', 'datasource'],
    ['job', 'query'],
    ['instance', 'query'],
  ]);
  expect(variables.flatMap(({ query }) => namesInQuery(query).unknown)).toEqual([]);
});

test.each(charts)('the panel $title has a description, a unit, a legend and the selected data source', (panel) => {
  expect(panel).toMatchObject({
    type: 'timeseries',
    title: expect.stringMatching(/^[A-Z]/),
    description: expect.stringMatching(/^[A-Z\d].*\.$/),
    fieldConfig: { defaults: { unit: expect.stringMatching(/^\w+$/) } },
    datasource: { type: 'prometheus', uid: ['$', '{datasource}'].join('') },
  });
  expect(panel.targets?.length).toBeGreaterThan(0);
  for (const { datasource, legendFormat } of panel.targets ?? []) {
    expect(datasource).toEqual(panel.datasource);
    expect(legendFormat).toMatch(/./);
  }
});

test.each(queries)(
  'the query of $title uses metrics that exist, of the selected jobs and instances: $expr',
  ({ expr }) => {
    const { metrics, unknown } = namesInQuery(expr);
    const selectors = [...expr.matchAll(/(\w+)\{job=~"\$job", instance=~"\$instance"[,}]/g)].map(([, name]) => name);
    expect(unknown).toEqual([]);
    expect(metrics.length).toBeGreaterThan(0);
    expect(selectors).toEqual(metrics);
  },
);

test('every metric is on the dashboard, except those that another panel contains', () => {
  const shown = new Set(queries.flatMap(({ expr }) => namesInQuery(expr).metrics));
  const missing = METRICS.map(prometheusName).filter((name) => ![...shown].some((series) => series.startsWith(name)));
  expect(missing).toEqual(['nodejs_eventloop_delay_mean_seconds', 'nodejs_eventloop_delay_p50_seconds']);
});

test('panels have different ids and titles, and none covers another', () => {
  for (const field of ['id', 'title'] as const) expect(new Set(all.map((panel) => panel[field])).size).toBe(all.length);
  const cells = all.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
  );
  expect(new Set(cells).size).toBe(cells.length);
  expect(Math.max(...all.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
});
