import type { CallerAbilities } from '@strata/contract';
import { z } from 'zod';
import type { PointInTimeOptions } from '../api/effective.ts';
import type { Client } from '../core/client.ts';
import { Context } from '../core/context.ts';
import { invalidInputError } from '../core/errors.ts';

/** The result of a tool. */
export interface ToolOutput {
  readonly data: Readonly<Record<string, unknown>>;
  /** The cursor of the next part; null if there is none. */
  readonly next?: string | null;
  readonly leftOut?: readonly string[];
}

/** A tool of the MCP server. It only reads. */
export interface AgentTool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /** The shape of the data. */
  readonly output: z.ZodObject;
  readonly run: (client: Client, input: z.output<Input>, abilities: CallerAbilities) => Promise<ToolOutput>;
}

/** Infers the type of the input. */
export const tool = <Input extends z.ZodObject>(definition: AgentTool<Input>): AgentTool =>
  definition as unknown as AgentTool;

export const PAGE_SIZE = 50;

const NAME_MAX = 256;
export const nameSchema = (noun: string) => z.string().min(1).max(NAME_MAX).describe(`Name of the ${noun}.`);
export const timeSchema = (description: string) =>
  z.string().max(64).describe(`${description}, such as 2026-11-25T10:00:00Z.`);
const CURSOR_MAX = 4_096;
export const pageParameters = {
  cursor: z
    .string()
    .max(CURSOR_MAX)
    .optional()
    .describe('`next_cursor` of the previous result, to read the next part.'),
};
/** A point in time; the present without one. */
export const pointInTimeArgs = {
  revision: z.number().int().min(0).optional().describe('Read the state after this revision.'),
  as_of: timeSchema('Read the state at this time').optional(),
  tag: nameSchema('tag of the environment. Read the state at its time').optional(),
};

interface PointInTimeInput {
  readonly revision?: number | undefined;
  readonly as_of?: string | undefined;
  readonly tag?: string | undefined;
}

/** Returns a point in time in the form of the options of commands. */
export const toPointInTimeOptions = ({ revision: after, as_of: asOf, tag }: PointInTimeInput): PointInTimeOptions => ({
  ...(after !== undefined && { revision: String(after) }),
  ...(asOf !== undefined && { asOf }),
  ...(tag !== undefined && { tag }),
});

/** Returns the context of a command for a project and an environment. */
export const contextFor = (client: Client, project?: string, environment?: string): Context =>
  new Context(client, project ?? null, environment ?? null, client.credential ?? '');

/** Returns the number that a cursor contains. */
export function position(cursor: string | undefined, first: number): number {
  if (cursor === undefined) return first;
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw invalidInputError('The cursor is invalid.', 'Use `next_cursor` of the previous result, or omit it.');
}

/** Returns a page of a complete list. */
export function pageAt<T>(list: readonly T[], cursor: string | undefined) {
  const start = position(cursor, 0);
  const end = start + PAGE_SIZE;
  return { rows: list.slice(start, end), next: end < list.length ? String(end) : null };
}
