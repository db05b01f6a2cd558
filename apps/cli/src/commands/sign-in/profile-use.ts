import { readAddress } from '../../core/context.ts';
import { defineCommand, requiredArgument } from '../../core/define-command.ts';
import { print } from '../../core/output.ts';
import { selectAddress } from '../../core/sign-ins.ts';

/** Makes the address of a profile the default. */
export const command = defineCommand({
  description: 'use the address of a profile by default',
  arguments: { name: requiredArgument('name of the profile') },
  run({ name }) {
    const { url } = readAddress({ profile: name }, process.env, null);
    selectAddress(url, process.env);
    print(`Commands use ${url} by default.`);
  },
});
