import type { Type } from '@nestjs/common';
import { Field, Int, ObjectType } from '@nestjs/graphql';
import { resultOf } from '../problems.ts';
import type { Shape } from './shape.ts';
import { withArticle } from './with-article.ts';

/** What became of a write that answers with an object of one shape. */
export interface Saved {
  /** Name of the success. */
  readonly name: string;
  /** The field that holds the object. */
  readonly field: string;
  readonly success: Type<object>;
  /** The union of the success and every problem. */
  readonly result: object;
}

interface Names {
  readonly success?: string;
  readonly result?: string;
  readonly about?: string;
}

const made = new Map<string, Saved>();

/** The one success and union of a shape: `TagSaved` with `tag` and `revision`, and `TagResult`. */
export function savedOf<Row>(shape: Shape<Row>, names: Names = {}): Saved {
  const found = made.get(shape.name);
  if (found) return found;
  const { name } = shape;
  const { success: successName = `${name}Saved`, result = `${name}Result` } = names;
  const field = name.slice(0, 1).toLowerCase() + name.slice(1);
  const success = { [successName]: class {} }[successName] as Type<object>;
  ObjectType(successName, { description: names.about ?? `The ${spaced(name)} as it is now.` })(success);
  Field(() => shape.type, { description: `The ${spaced(name)}.` })(success.prototype, field);
  Field(() => Int, { nullable: true, description: 'Revision of the organization after this write.' })(
    success.prototype,
    'revision',
  );
  const union = resultOf(result, success, `What became of a write of ${withArticle(spaced(name))}.`);
  const saved = { name: successName, field, success, result: union };
  made.set(name, saved);
  return saved;
}

/** `ParameterType` → "parameter type". */
export function spaced(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}
