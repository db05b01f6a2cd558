export const HEAP_MB: number;
export function nodeArguments(settings?: { readonly STRATA_HEAP_MB?: string | undefined }): string[];
