/** The limits of one socket. */
export const SOCKET_LIMITS = {
  /** The maximum bytes of one message. Queries are small. */
  message: 64 * 1024,
  /** The number of concurrent operations on one socket. */
  operations: 50,
  /** The number of sockets of one gateway. Each uses memory even if it is idle. */
  sockets: 10_000,
  /** The unread bytes at which the gateway stops reading from a peer that does not read its responses. */
  unread: 64 * 1024,
  /** The number of rejected operations in a burst. Afterwards one per second is allowed. */
  rejections: 100,
} as const;

/** The limits for all sockets of one address or one credential; these are settings. */
export interface SocketUsageLimits {
  readonly socketsPerAddress: number;
  readonly socketsPerCredential: number;
  readonly subscriptionsPerAddress: number;
  readonly subscriptionsPerCredential: number;
}

/** In milliseconds. Tests use shorter times. */
export interface SocketTimes {
  /** A socket must authenticate within this time. */
  readonly initMs: number;
  /** A peer that has not answered the last ping when the next one is due is disconnected. */
  readonly pingMs: number;
  /** A peer that does not answer the close frame within this time is disconnected. */
  readonly closingMs: number;
  /** A peer that does not read for this long is disconnected. */
  readonly unreadMs: number;
  /** How often the gateway checks the credentials of open sockets with the core. */
  readonly credentialMs: number;
}

export const SOCKET_TIMES: SocketTimes = {
  initMs: 5_000,
  pingMs: 20_000,
  closingMs: 5_000,
  unreadMs: 20_000,
  credentialMs: 30_000,
};

/** The close reasons in addition to those of the protocol. Clients reconnect after 1013, but not after 1008. */
export const CLOSE_REASONS = {
  unread: { code: 1013, reason: 'UNREAD: the client does not read its messages. Read them, and connect again.' },
  rejections: { code: 1008, reason: 'TOO_MANY_REFUSALS: correct the operations before you send them again.' },
  sockets: { code: 1013, reason: 'TOO_MANY_SOCKETS of this credential. Close some, or try again later.' },
  unreachable: { code: 1013, reason: 'The service cannot be reached. Try again in a moment.' },
  restart: { code: 1012, reason: 'The service restarts. Connect again.' },
  credential: { code: 4403, reason: 'Forbidden: credential refused' },
  unknown: { code: 4401, reason: 'Unauthorized' },
  repeatedInit: { code: 4429, reason: 'Too many initialisation requests' },
  notUtf8: { code: 1007, reason: 'A message is not valid UTF-8.' },
  broken: { code: 4500, reason: 'Internal error' },
} as const satisfies Record<string, CloseReason>;

export interface CloseReason {
  readonly code: number;
  readonly reason: string;
}
