import { isLoopbackHost } from './service-host.ts';

/** The settings of a process that decide which address it takes for its public one. */
export interface PublicAddressSettings {
  readonly publicUrl: string | null | undefined;
  /** The address that the process listens on. */
  readonly host: string;
  readonly isBehindProxy: boolean;
}

/**
 * Returns a warning if clients on other machines can choose the origin of links with the header `Host`, and null
 * otherwise. Only programs of the same machine reach a process that listens on the loopback interface without a proxy.
 */
export function publicUrlWarning({ publicUrl, host, isBehindProxy }: PublicAddressSettings): string | null {
  if (publicUrl) return null;
  const isLocal = isLoopbackHost(host.includes(':') ? `[${host}]` : host.toLowerCase());
  if (isLocal && !isBehindProxy) return null;
  const reason = isLocal ? 'STRATA_TRUST_PROXY is set' : `STRATA_HOST is ${host}`;
  return `STRATA_PUBLIC_URL is not set, and ${reason}. Other machines can send requests, and links in a response follow the header Host of its request. Set STRATA_PUBLIC_URL to the address that people open, such as https://config.example.com.`;
}
