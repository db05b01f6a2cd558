import type { z } from 'zod';

/** The members that a row has under the same name and with a compatible type. */
type SharedMembers<Answer, Row> = {
  [Name in keyof Answer & keyof Row]: Row[Name] extends Answer[Name] ? Name : never;
}[keyof Answer & keyof Row];

/** The members that the row does not have. */
type RemainingMembers<Answer, Row> = Omit<Answer, SharedMembers<Answer, Row>> & Partial<Answer>;

/**
 * Builds a response in the order of its shape. Members come from the second object first, and then from the row under
 * the same name. A missing member is a type error.
 */
export function shapeRow<Shape extends z.ZodObject, Row extends object>(
  shape: Shape,
  row: Row,
  remainingMembers: RemainingMembers<z.infer<Shape>, Row>,
): z.infer<Shape> {
  const members: Readonly<Record<string, unknown>> = { ...row, ...remainingMembers };
  return Object.fromEntries(Object.keys(shape.shape).map((name) => [name, members[name]])) as z.infer<Shape>;
}
