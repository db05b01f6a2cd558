/** One line for each setting that is wrong, its name first; told without any package. */
export function wrongSettings(env: Readonly<Record<string, string | undefined>>): readonly string[];
