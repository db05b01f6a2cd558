import type { z } from 'zod';

/** The members that a row has under the same name, with a value that suits. */
type SharedMembers<Answer, Row> = {
  [Name in keyof Answer & keyof Row]: Row[Name] extends Answer[Name] ? Name : never;
}[keyof Answer & keyof Row];

/** What a row does not say by itself. */
type RemainingMembers<Answer, Row> = Omit<Answer, SharedMembers<Answer, Row>> & Partial<Answer>;

/**
 * An answer in its shape's order: what the row has under the same name is taken over as it is, the rest is given, and what is
 * given comes first. A member that neither has is an error of types.
 */
export function shapeRow<Shape extends z.ZodObject, Row extends object>(
  shape: Shape,
  row: Row,
  rest: RemainingMembers<z.infer<Shape>, Row>,
): z.infer<Shape> {
  const given: Readonly<Record<string, unknown>> = { ...row, ...rest };
  return Object.fromEntries(Object.keys(shape.shape).map((name) => [name, given[name]])) as z.infer<Shape>;
}
