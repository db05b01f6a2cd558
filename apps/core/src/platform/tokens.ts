/** Injection token of the validated settings. */
export const ENV = Symbol('Env');
