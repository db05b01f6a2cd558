/** What one socket may cost. */
export const SOCKET_LIMITS = {
  /** Bytes of one message; queries are small. */
  message: 64 * 1024,
  /** Operations that run at the same time on one socket. */
  operations: 50,
  /** Sockets of one gateway; each costs memory even when silent. */
  sockets: 5_000,
  /** Bytes that wait to be read; nothing more is taken from a peer that does not read what it asked for. */
  unread: 64 * 1024,
  /** Refused operations that are answered at once; who makes mistakes makes fewer, and one more each second is answered. */
  refusals: 100,
} as const;

/** What all sockets of one address, or of one credential, may have together; these are settings. */
export interface SocketShares {
  readonly socketsPerAddress: number;
  readonly socketsPerCredential: number;
  readonly subscriptionsPerAddress: number;
  readonly subscriptionsPerCredential: number;
}

/** Milliseconds; tests do not wait for so long. */
export interface SocketTimes {
  /** A socket must say who it is within this time. */
  readonly initMs: number;
  /** A peer that has not answered the last ping when the next is due is gone. */
  readonly pingMs: number;
  /** A peer that does not read its goodbye is cut off. */
  readonly closingMs: number;
  /** For so long nothing is taken from a peer that does not read; then its socket is closed. */
  readonly unreadMs: number;
  /** How often the core is asked whether the credential of open sockets is still good. */
  readonly credentialMs: number;
}

export const SOCKET_TIMES: SocketTimes = {
  initMs: 5_000,
  pingMs: 20_000,
  closingMs: 5_000,
  unreadMs: 20_000,
  credentialMs: 30_000,
};

/** With what a socket is closed beside the codes of the protocol itself. Clients come back after 1013, and not after 1008. */
export const GOODBYES = {
  unread: { code: 1013, reason: 'UNREAD: you do not read what you ask for. Read, and connect again.' },
  refusals: { code: 1008, reason: 'TOO_MANY_REFUSALS: correct the operations before you send them again.' },
  sockets: { code: 1013, reason: 'TOO_MANY_SOCKETS of this credential. Close some, or try again later.' },
  unreachable: { code: 1013, reason: 'The service cannot be reached. Try again in a moment.' },
  restart: { code: 1012, reason: 'The service restarts. Connect again.' },
  credential: { code: 4403, reason: 'Forbidden: credential refused' },
  unknown: { code: 4401, reason: 'Unauthorized' },
  repeatedInit: { code: 4429, reason: 'Too many initialisation requests' },
  broken: { code: 4500, reason: 'Internal error' },
} as const satisfies Record<string, Goodbye>;

export interface Goodbye {
  readonly code: number;
  readonly reason: string;
}
