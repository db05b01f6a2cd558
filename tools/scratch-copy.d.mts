export function scratchCopy(root: string): string;
