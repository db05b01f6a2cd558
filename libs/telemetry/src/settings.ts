import { z } from 'zod';

interface TelemetrySetting {
  readonly name: string;
  readonly about: string;
  readonly default?: string;
}

/** The settings of telemetry that the core and the gateway share. Their names without STRATA_ are those of OpenTelemetry. */
export const TELEMETRY_SETTINGS: readonly TelemetrySetting[] = [
  { name: 'STRATA_METRICS_HOST', about: 'Address on which Prometheus reads the metrics.', default: '127.0.0.1' },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    about: 'URL of an OpenTelemetry collector (OTLP over HTTP, JSON). Without it, nothing is sent.',
  },
  { name: 'OTEL_TRACES_EXPORTER', about: 'otlp, or none: traces are not sent.', default: 'otlp' },
  { name: 'OTEL_METRICS_EXPORTER', about: 'otlp, or none: metrics are not sent.', default: 'otlp' },
  {
    name: 'OTEL_TRACES_SAMPLER',
    about: 'always_on, always_off or traceidratio, each also with parentbased_ before it.',
    default: 'parentbased_always_on',
  },
  {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    about: 'Share of traces that traceidratio records, between 0 and 1.',
    default: '1',
  },
  { name: 'OTEL_METRIC_EXPORT_INTERVAL', about: 'Milliseconds between two exports of metrics.', default: '60000' },
  { name: 'OTEL_BSP_SCHEDULE_DELAY', about: 'Milliseconds between two exports of traces.', default: '5000' },
];

const SAMPLERS = ['always_on', 'always_off', 'traceidratio'] as const;
export type SamplerName = (typeof SAMPLERS)[number] | `parentbased_${(typeof SAMPLERS)[number]}`;
const SAMPLER_NAMES = [...SAMPLERS, ...SAMPLERS.map((name) => `parentbased_${name}` as const)];

/** Treats an empty variable as missing, as OpenTelemetry does. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema);

const exporter = optional(z.enum(['otlp', 'none'], 'must be otlp or none').default('otlp'));
const milliseconds = z.coerce
  .number('must be a whole number of milliseconds')
  .int('must be a whole number of milliseconds')
  .min(100, 'must be 100 or more')
  .max(3_600_000, 'must be 3600000 or less');

/** The port of the metrics; off if it is not set. Each service has a name of its own for it. */
export const metricsPort = optional(
  z
    .string()
    .regex(/^[1-9]\d{0,4}$/, 'must be a port number')
    .transform(Number)
    .refine((port) => port <= 65_535, 'must be a port number up to 65535')
    .optional(),
);

/** The members that an environment with telemetry has. */
export const telemetryShape = {
  STRATA_METRICS_HOST: optional(z.string().default('127.0.0.1')),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    z
      .string()
      .refine((text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''), 'must be an http or https URL')
      .optional(),
  ),
  OTEL_TRACES_EXPORTER: exporter,
  OTEL_METRICS_EXPORTER: exporter,
  OTEL_TRACES_SAMPLER: optional(
    z.enum(SAMPLER_NAMES, `must be one of ${SAMPLER_NAMES.join(', ')}`).default('parentbased_always_on'),
  ),
  OTEL_TRACES_SAMPLER_ARG: optional(
    z.coerce
      .number('must be a number between 0 and 1')
      .min(0, 'must be a number between 0 and 1')
      .max(1, 'must be a number between 0 and 1')
      .default(1),
  ),
  OTEL_METRIC_EXPORT_INTERVAL: optional(milliseconds.default(60_000)),
  OTEL_BSP_SCHEDULE_DELAY: optional(milliseconds.default(5_000)),
};

const Shape = z.object(telemetryShape);
export type TelemetryEnv = Readonly<z.infer<typeof Shape>>;

/** The exports of one process. */
export interface TelemetryOptions {
  /** The address on which Prometheus reads the metrics; null if it does not. */
  readonly metrics: { readonly host: string; readonly port: number; readonly setting: string } | null;
  readonly sendsTraces: boolean;
  readonly sendsMetrics: boolean;
  readonly sampler: { readonly name: SamplerName; readonly ratio: number };
  readonly metricsEveryMs: number;
  readonly tracesEveryMs: number;
}

/** Returns the options of a process. `setting` is the name of the setting with its port of the metrics. */
export function telemetryOptions(env: TelemetryEnv, setting: string, port: number | undefined): TelemetryOptions {
  const isSending = env.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined;
  return {
    metrics: port === undefined ? null : { host: env.STRATA_METRICS_HOST, port, setting },
    sendsTraces: isSending && env.OTEL_TRACES_EXPORTER === 'otlp',
    sendsMetrics: isSending && env.OTEL_METRICS_EXPORTER === 'otlp',
    sampler: { name: env.OTEL_TRACES_SAMPLER, ratio: env.OTEL_TRACES_SAMPLER_ARG },
    metricsEveryMs: env.OTEL_METRIC_EXPORT_INTERVAL,
    tracesEveryMs: env.OTEL_BSP_SCHEDULE_DELAY,
  };
}
