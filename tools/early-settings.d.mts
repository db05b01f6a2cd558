/** Returns one line for each invalid setting, starting with its name. Needs no packages. */
export function wrongSettings(env: Readonly<Record<string, string | undefined>>): readonly string[];
