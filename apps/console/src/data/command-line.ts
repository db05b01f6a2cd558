import { send, toRequestError } from '../graphql/request.ts';

/** A command line that waits for the approval of its sign-in. */
export interface WaitingCommandLine {
  /** The hash of its secret, which the code is bound to. */
  readonly challenge: string;
  readonly machine: string;
}

export interface CommandLineCode {
  readonly code: string;
  readonly expires_in: number;
}

interface CodeResponse extends CommandLineCode {
  readonly errors?: readonly [Parameters<typeof toRequestError>[0]];
}

/** Returns a code with which the command line signs in as the user. */
export async function approveCommandLine({ challenge, machine }: WaitingCommandLine): Promise<CommandLineCode> {
  const response = await send<CodeResponse>('POST', '/session/code', { challenge, machine });
  if (response.errors) throw toRequestError(response.errors[0]);
  return response;
}
