import { type EventLoopUtilization, monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import type { Meter } from '@opentelemetry/api';
import { createObservableGauge, type Metric } from './metric.ts';

const gauge = (name: string, unit: string, description: string): Metric => ({
  name,
  kind: 'gauge',
  unit,
  about: description,
});
const delay = (part: string, description: string) => gauge(`nodejs.eventloop.delay.${part}`, 's', description);

/** The metrics of every process. */
export const PROCESS_METRICS = {
  delayMean: delay('mean', 'Mean delay of the event loop since the metrics were last read.'),
  delayP50: delay('p50', 'Median delay of the event loop since the metrics were last read.'),
  delayP99: delay('p99', '99th percentile of the delay of the event loop since the metrics were last read.'),
  delayMax: delay('max', 'Longest delay of the event loop since the metrics were last read.'),
  utilization: gauge('nodejs.eventloop.utilization', '1', 'Share of the time that the event loop was busy.'),
  cpu: {
    ...{ name: 'process.cpu.time', kind: 'counter', unit: 's', labels: ['cpu.mode'] },
    about: 'Processor time of the process.',
  },
  memory: gauge('process.memory.usage', 'By', 'Resident memory of the process.'),
  heapUsed: gauge('v8js.memory.heap.used', 'By', 'Memory of the heap in use.'),
  heapLimit: gauge('v8js.memory.heap.limit', 'By', 'Memory of the heap at which the process fails.'),
} as const satisfies Record<string, Metric>;

const DELAY_RESOLUTION_MS = 20;
const NANOSECONDS = 1e9;
const MICROSECONDS = 1e6;

/** Creates the metrics of the process. Returns a function that stops measuring. */
export function observeProcess(meter: Meter): () => void {
  const delays = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  delays.enable();
  /** The monitor includes its own interval in each delay. */
  const seconds = (nanoseconds: number) =>
    Math.max(0, Number.isFinite(nanoseconds) ? nanoseconds / NANOSECONDS - DELAY_RESOLUTION_MS / 1_000 : 0);
  createObservableGauge(meter, PROCESS_METRICS.delayMean, (result) => result.observe(seconds(delays.mean)));
  createObservableGauge(meter, PROCESS_METRICS.delayP50, (result) => result.observe(seconds(delays.percentile(50))));
  createObservableGauge(meter, PROCESS_METRICS.delayP99, (result) => result.observe(seconds(delays.percentile(99))));
  createObservableGauge(meter, PROCESS_METRICS.delayMax, (result) => {
    result.observe(seconds(delays.max));
    delays.reset();
  });
  let before: EventLoopUtilization = performance.eventLoopUtilization();
  createObservableGauge(meter, PROCESS_METRICS.utilization, (result) => {
    const now = performance.eventLoopUtilization();
    result.observe(performance.eventLoopUtilization(now, before).utilization);
    before = now;
  });
  createObservableGauge(meter, PROCESS_METRICS.cpu, (result) => {
    const { user, system } = process.cpuUsage();
    result.observe(user / MICROSECONDS, { 'cpu.mode': 'user' });
    result.observe(system / MICROSECONDS, { 'cpu.mode': 'system' });
  });
  createObservableGauge(meter, PROCESS_METRICS.memory, (result) => result.observe(process.memoryUsage.rss()));
  createObservableGauge(meter, PROCESS_METRICS.heapUsed, (result) =>
    result.observe(getHeapStatistics().used_heap_size),
  );
  createObservableGauge(meter, PROCESS_METRICS.heapLimit, (result) =>
    result.observe(getHeapStatistics().heap_size_limit),
  );
  return () => delays.disable();
}
