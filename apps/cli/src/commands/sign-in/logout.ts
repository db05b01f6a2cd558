import { endSession } from '../../api/sessions.ts';
import { readAddress } from '../../core/context.ts';
import { defineCommand } from '../../core/define-command.ts';
import { URL_OPTIONS } from '../../core/options.ts';
import { print, printJson } from '../../core/output.ts';
import { projectFile } from '../../core/project-file.ts';
import { credentialFor, removeSignIn } from '../../core/sign-ins.ts';

/** Deletes the stored credential, and ends the session if it is one. */
export const command = defineCommand({
  description: 'delete the stored credential, and end its session',
  options: URL_OPTIONS,
  async run(_, { json, ...options }) {
    const { url } = readAddress(options, process.env, projectFile(process.cwd()));
    const authorization = await credentialFor(url, process.env);
    await removeSignIn(url, process.env);
    const isEnded = await endSession(url, authorization);
    if (json) return printJson({ url, was_signed_in: authorization !== null, session_ended: isEnded });
    if (authorization === null) return print(`You were not signed in at ${url}.`);
    print(
      `Signed out at ${url}.${isEnded === false ? ' The session could not be ended: it expires within 12 hours.' : ''}`,
    );
  },
});
