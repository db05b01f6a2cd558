export function writeAction(folder: string): void;
