import { readAddress } from '../../core/context.ts';
import { defineCommand, requiredArgument } from '../../core/define-command.ts';
import { print } from '../../core/output.ts';
import { isSignedInAt, storeProfile } from '../../core/sign-ins.ts';

/** Deletes a profile. */
export const command = defineCommand({
  description: 'delete a profile, but not its sign-in',
  arguments: { name: requiredArgument('name of the profile') },
  run({ name }) {
    const { url } = readAddress({ profile: name }, process.env, null);
    storeProfile(name, null, process.env);
    const remains = isSignedInAt(url, process.env) ? ` You are still signed in at ${url}.` : '';
    print(`Deleted the profile ${name}.${remains}`);
  },
});
