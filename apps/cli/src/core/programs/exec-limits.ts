// The limits of the system for the environment and the arguments of a program.

import fs from 'node:fs';
import { formatCount } from '@strata/domain';
import { CommandError, EXIT } from '../errors.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The largest variables that an error names. */
const NAMED_MAX = 3;
/** Linux limits each variable and argument to this number of pages of memory. */
const PAGES_OF_A_TEXT = 32;
const KIB = 1024;

/** Returns the error for a program that the system does not start because its environment or arguments are too large. */
export function programTooLargeError(args: readonly string[], env: Variables): CommandError {
  const sizes = measureSizes(env);
  const problem = describeLargeVariables(sizes) ?? describeLargeArguments(args) ?? describeTotal(args, sizes);
  return new CommandError(EXIT.cannotStart, `The program "${args[0]}" cannot be started: ${problem}`, {
    hint: 'Shorten the values, or write them to a file instead with `strata export`.',
  });
}

/** Returns the names of values that the system accepts in no environment. */
export function describeLargeValues(values: Readonly<Record<string, string | null>>): string | null {
  return describeLargeVariables(measureSizes(values));
}

interface Size {
  readonly name: string;
  readonly bytes: number;
}

/** Returns the bytes that each variable takes, the largest first. */
const measureSizes = (env: Readonly<Record<string, string | null | undefined>>): readonly Size[] =>
  Object.entries(env)
    .flatMap(([name, text]) => (text == null ? [] : { name, bytes: countBytes(`${name}=${text}`) }))
    .sort((a, b) => b.bytes - a.bytes);

/** The system stores each text with a null character. */
const countBytes = (text: string): number => Buffer.byteLength(text) + 1;

function describeLargeVariables(sizes: readonly Size[]): string | null {
  const limit = textLimit();
  if (limit === null) return null;
  const largeEntries = sizes.filter(({ bytes }) => bytes > limit);
  if (largeEntries.length === 0) return null;
  return `${listed(largeEntries)}. The limit of this system for a variable with its name is ${kib(limit)}.`;
}

function describeLargeArguments(args: readonly string[]): string | null {
  const limit = textLimit();
  const at = limit === null ? -1 : args.findIndex((text) => countBytes(text) > limit);
  // The first text is the name of the program.
  return at < 0 ? null : `argument ${at} is longer than ${kib(limit ?? 0)}, the limit of this system.`;
}

function describeTotal(args: readonly string[], sizes: readonly Size[]): string {
  const total = [...args.map(countBytes), ...sizes.map(({ bytes }) => bytes)].reduce((sum, bytes) => sum + bytes, 0);
  const limit = totalLimit();
  const limitText = limit === null ? '' : `, and the limit is ${kib(limit)}, a quarter of the limit of its stack`;
  return `its environment and arguments have ${kib(total)}${limitText}. The largest variables are ${listed(sizes.slice(0, NAMED_MAX))}.`;
}

const listed = (sizes: readonly Size[]): string =>
  sizes.map(({ name, bytes }) => `${name} has ${formatCount(bytes, 'byte')}`).join(', ');

const kib = (bytes: number): string => `${Math.ceil(bytes / KIB)} KiB`;

/** Returns the bytes that one variable or argument can have; null if this system has no such limit. */
function textLimit(): number | null {
  const page = process.platform === 'linux' ? pageBytes() : null;
  return page === null ? null : PAGES_OF_A_TEXT * page;
}

const PAGE_SIZE_ENTRY = 6n;
const ENTRY_BYTES = 16;

/** Reads the size of a page of memory from what the kernel has passed to this process. */
function pageBytes(): number | null {
  try {
    const entries = fs.readFileSync('/proc/self/auxv');
    for (let at = 0; at + ENTRY_BYTES <= entries.length; at += ENTRY_BYTES)
      if (entries.readBigUInt64LE(at) === PAGE_SIZE_ENTRY) return Number(entries.readBigUInt64LE(at + 8));
  } catch {
    // A container can hide the file.
  }
  return null;
}

const STACK_PART = 4;
/** Linux accepts at least 128 KiB and at most 6 MiB, whatever the limit of the stack is. */
const TOTAL_MIN = 128 * KIB;
const TOTAL_MAX = 6 * KIB * KIB;

/** Returns the bytes that the environment and the arguments can have together; null if it is unknown. */
function totalLimit(): number | null {
  if (process.platform !== 'linux') return null;
  try {
    const [, stack = ''] = /^Max stack size\s+(\S+)/m.exec(fs.readFileSync('/proc/self/limits', 'latin1')) ?? [];
    const bytes = stack === 'unlimited' ? Number.POSITIVE_INFINITY : Number(stack);
    return Math.max(TOTAL_MIN, Math.min(TOTAL_MAX, bytes / STACK_PART));
  } catch {
    return null;
  }
}
