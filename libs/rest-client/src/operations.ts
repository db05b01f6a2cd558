import type { OperationId } from '@strata/contract';
import { ROUTES } from './routes.ts';
import type { Method, Query } from './transport.ts';

/** The parts of a request, whatever its operation is. */
export interface AnyRequest {
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Query | undefined;
  readonly body?: object | undefined;
}

interface Route {
  readonly method: Method;
  /** The path below the origin. */
  readonly path: string;
}

/** Returns the method and the path of an operation. */
export function findRoute(id: OperationId, placeholders: Readonly<Record<string, string>> = {}): Route {
  const [method, path = ''] = ROUTES[id].split(' ');
  const withValues = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(placeholders[name] ?? ''));
  return { method: method as Method, path: withValues };
}
