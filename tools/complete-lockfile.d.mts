export function platformOf(name: string): { cpu?: string[]; libc?: string[]; os?: string[] } | undefined;
export function complete(lock: { packages: Record<string, object> }): string[];
