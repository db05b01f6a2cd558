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

/** Texts that would lead to the path of another operation. An encoded dot is still one. */
const OTHER_PATHS = ['', '.', '..'];

/** Returns the method and the path of an operation. Throws if a placeholder has no value or would change the path. */
export function findRoute(id: OperationId, placeholders: Readonly<Record<string, string>> = {}): Route {
  const [method, path = ''] = ROUTES[id].split(' ');
  const withValues = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = placeholders[name] ?? '';
    if (OTHER_PATHS.includes(value)) throw new Error(`"${value}" cannot be ${name} in the path of ${id}.`);
    return encodeURIComponent(value);
  });
  return { method: method as Method, path: withValues };
}
