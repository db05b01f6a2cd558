import type { z } from 'zod';
import type { Query } from '../core.ts';
import type { Loaders } from '../loaders.ts';
import { type ObjectDeclaration, ObjectShape, type ObjectSource } from './object-type.ts';
import type { SchemaBuild } from './schema-build.ts';

/** The list that contains the rows of a type, for links and `node`. */
export interface NounPosition {
  /** The path of the list, with placeholders. */
  readonly list: string;
  /** Returns the object with these ids. The ids of its parents come first. */
  load(loaders: Loaders, ids: readonly string[], pointInTime?: Query): Promise<ObjectSource | null>;
}

/** The types of one schema and their declarations. It lives as long as the schema. */
export class Assembly {
  private readonly byName = new Map<string, ObjectShape>();
  /** Keyed by members, because a schema with additional metadata is a different object. */
  private readonly byMembers = new Map<object, ObjectShape>();
  private readonly positions = new Map<string, NounPosition>();

  constructor(readonly build: SchemaBuild) {}

  declare(declaration: ObjectDeclaration): void {
    const shape = new ObjectShape(declaration, (schema) => this.requireShape(schema), this.build);
    this.byName.set(shape.name, shape);
    for (const schema of [declaration.of, ...(declaration.alsoOf ?? [])]) this.byMembers.set(schema.shape, shape);
  }

  settle(type: string, nounPosition: NounPosition): void {
    this.positions.set(type, nounPosition);
  }

  get shapes(): readonly ObjectShape[] {
    return [...this.byName.values()];
  }

  shapeNamed(name: string): ObjectShape {
    const shape = this.byName.get(name);
    if (!shape) throw new Error(`No object type is called ${name}.`);
    return shape;
  }

  requireShape(schema: z.ZodObject): ObjectShape {
    const shape = this.findShape(schema);
    if (!shape) throw new Error(`No object type was made for a shape with ${Object.keys(schema.shape).join(', ')}.`);
    return shape;
  }

  findShape(schema: z.ZodType | undefined): ObjectShape | null {
    return (schema && 'shape' in schema && this.byMembers.get(schema.shape as object)) || null;
  }

  positionOf(type: string): NounPosition | undefined {
    return this.positions.get(type);
  }
}
