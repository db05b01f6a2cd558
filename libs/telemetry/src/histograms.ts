import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import { hrTime } from '@opentelemetry/core';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type CollectionResult,
  DataPointType,
  type HistogramMetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { Metric } from './metric.ts';
import type { Histogram } from './telemetry.ts';

/** The SDK has the same limit for its own instruments. */
const SERIES_MAX = 2_000;
const OVERFLOW: Attributes = { 'otel.metric.overflow': true };
const NO_LABELS: Attributes = {};

/** The values of one set of labels. */
class Series {
  private readonly counts: number[];
  private sum = 0;
  private count = 0;
  private min = Number.POSITIVE_INFINITY;
  private max = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly attributes: Attributes,
    private readonly boundaries: readonly number[],
    private readonly startTime: HrTime,
  ) {
    this.counts = new Array<number>(boundaries.length + 1).fill(0);
  }

  add(value: number): void {
    let bucket = 0;
    while (value > (this.boundaries[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.sum += value;
    this.count += 1;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
  }

  dataPoint(endTime: HrTime): HistogramMetricData['dataPoints'][number] {
    const { attributes, boundaries, startTime, counts, sum, count, min, max } = this;
    const buckets = { boundaries: [...boundaries], counts: [...counts] };
    return { startTime, endTime, attributes, value: { buckets, sum, count, min, max } };
  }
}

/** One histogram. Labels that are the same object are found without comparing their texts. */
class SeriesOfMetric implements Histogram {
  private readonly byObject = new WeakMap<Attributes, Series>();
  private readonly byText = new Map<string, Series>();
  private readonly startTime = hrTime();

  constructor(private readonly metric: Metric) {}

  record(value: number, labels: Attributes = NO_LABELS): void {
    (this.byObject.get(labels) ?? this.find(labels)).add(value);
  }

  private find(labels: Attributes): Series {
    const isFull = this.byText.size >= SERIES_MAX;
    const text = JSON.stringify(Object.entries(labels).sort());
    const series = this.byText.get(text) ?? (isFull ? this.series('', OVERFLOW) : this.series(text, labels));
    this.byObject.set(labels, series);
    return series;
  }

  private series(text: string, labels: Attributes): Series {
    const existingSeries = this.byText.get(text);
    if (existingSeries) return existingSeries;
    const newSeries = new Series(labels, this.metric.buckets ?? [], this.startTime);
    this.byText.set(text, newSeries);
    return newSeries;
  }

  data(endTime: HrTime): HistogramMetricData {
    const { name, about: description, unit } = this.metric;
    return {
      descriptor: { name, description, unit, valueType: ValueType.DOUBLE },
      aggregationTemporality: AggregationTemporality.CUMULATIVE,
      dataPointType: DataPointType.HISTOGRAM,
      dataPoints: [...this.byText.values()].map((series) => series.dataPoint(endTime)),
    };
  }
}

/**
 * The histograms of a process. The SDK serializes the labels of each value, which would cost a tenth of the fastest
 * read; these do it once for each object.
 */
export class Histograms implements MetricProducer {
  private readonly created: SeriesOfMetric[] = [];

  constructor(private readonly scope: string) {}

  create(metric: Metric): Histogram {
    const newSeries = new SeriesOfMetric(metric);
    this.created.push(newSeries);
    return newSeries;
  }

  async collect(): Promise<CollectionResult> {
    const now = hrTime();
    const metrics = this.created
      .map((histogram) => histogram.data(now))
      .filter(({ dataPoints }) => dataPoints.length > 0);
    const scopeMetrics = [{ scope: { name: this.scope }, metrics }];
    // the readers replace the resource by their own
    return { resourceMetrics: { resource: resourceFromAttributes({}), scopeMetrics }, errors: [] };
  }
}
