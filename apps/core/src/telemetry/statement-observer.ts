import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Telemetry } from '@strata/telemetry';
import type { CoreObserver } from '../platform/observer.ts';
import { CORE_METRICS } from './metrics.ts';

const SYSTEM = { 'db.system.name': 'postgresql' } as const;
/** Statements are constants of the program, so there are some hundreds. */
const KNOWN_MAX = 1_000;
/** The first table of a statement. */
const TABLE = /\b(?:from|into|update|join)\s+(?:only\s+)?"?([a-z_]+)/i;
/** The write in a statement that begins with WITH. */
const WRITE = /\b(insert|update|delete)\s+(?:into|from|[a-z_]+)/i;
const OPERATION = /^\s*([a-z]+)/i;

interface KnownStatement {
  readonly summary: string;
  readonly attributes: { readonly 'db.system.name': string; readonly 'db.operation.name': string };
}

/** Measures statements, and records their spans if they belong to a trace. */
export function statementObserver({ histogram, tracer }: Telemetry): CoreObserver['statement'] {
  const durations = histogram(CORE_METRICS.statements);
  const describedTexts = new Map<string, KnownStatement>();
  const describe = (text: string): KnownStatement => {
    const cachedText = describedTexts.get(text);
    if (cachedText) return cachedText;
    const description = described(text);
    if (describedTexts.size < KNOWN_MAX) describedTexts.set(text, description);
    return description;
  };
  return (text) => {
    const { summary, attributes } = describe(text);
    const startedAt = performance.now();
    const span =
      tracer && trace.getSpan(context.active())
        ? tracer.startSpan(summary, {
            kind: SpanKind.CLIENT,
            attributes: { ...attributes, 'db.query.summary': summary },
          })
        : null;
    return (error) => {
      const failedAttributes = error === null ? attributes : { ...attributes, 'error.type': errorType(error) };
      durations.record((performance.now() - startedAt) / 1_000, failedAttributes);
      if (!span) return;
      if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', errorType(error));
      span.end();
    };
  };
}

/** Keeps the operation and the first table of a statement, and nothing else of its text. */
function described(text: string): KnownStatement {
  const first = OPERATION.exec(text)?.[1]?.toUpperCase() ?? 'OTHER';
  const operation = first === 'WITH' ? (WRITE.exec(text)?.[1]?.toUpperCase() ?? 'SELECT') : first;
  const summary = [operation, TABLE.exec(text)?.[1]].filter(Boolean).join(' ');
  return { summary, attributes: { ...SYSTEM, 'db.operation.name': operation } };
}

/** Returns the code of PostgreSQL or of the operating system. The message of an error may quote values. */
function errorType(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : 'lost';
}
