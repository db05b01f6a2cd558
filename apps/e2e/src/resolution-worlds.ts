import fc from 'fast-check';
import { visibleNames, type World } from './resolution-model.ts';

/** In this order texts refer only to earlier names, so no loop can come of it. Two differ from their export names. */
export const NAMES = ['alpha', 'Beta', 'gamma', 'host_1'] as const;

/** What somebody does to a value: sets it, sets it to null, makes it dynamic, or removes it. */
export type Wish =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'null' }
  | { readonly kind: 'dynamic'; readonly before: string; readonly picks: readonly number[] }
  | { readonly kind: 'remove' };

export interface Step {
  readonly parameter: number;
  readonly environment: number;
  readonly wish: Wish;
}

export interface Plan {
  readonly world: World;
  readonly steps: readonly Step[];
}

const text = fc.oneof(
  fc.constantFrom('', ' ', '*****', '{{ alpha }}', '{% raw', "it's", 'ünïcode 🎉', '#no // comment\n'),
  fc.string({ maxLength: 8 }).filter((each) => !/[\0\ud800-\udfff]/.test(each)),
);

/** Text around references is copied as it is, so it must not hold what the language gives a meaning to. */
const plain = fc.constantFrom('', 'x', '://', ' ', '"', 'ü', '\n');

const wish: fc.Arbitrary<Wish> = fc.oneof(
  { weight: 4, arbitrary: text.map((each): Wish => ({ kind: 'text', text: each })) },
  { weight: 1, arbitrary: fc.constant<Wish>({ kind: 'null' }) },
  { weight: 1, arbitrary: fc.constant<Wish>({ kind: 'remove' }) },
  {
    weight: 3,
    arbitrary: fc
      .record({ before: plain, picks: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }) })
      .map((each): Wish => ({ kind: 'dynamic', ...each })),
  },
);

function treeOf(count: number): fc.Arbitrary<number[]> {
  return fc.tuple(...Array.from({ length: count }, (_, index) => fc.nat({ max: index })));
}

/** Trees of environments, forests of projects, parameters in them, and what people then do to values. */
export const plans: fc.Arbitrary<Plan> = fc
  .record({
    environments: fc.integer({ min: 1, max: 4 }).chain(treeOf),
    projects: fc.integer({ min: 1, max: 3 }).chain((count) => fc.tuple(fc.constant(count), treeOf(count))),
    parameters: fc.uniqueArray(
      fc.record({ project: fc.nat({ max: 2 }), name: fc.constantFrom(...NAMES), secret: fc.boolean() }),
      { minLength: 2, maxLength: 8, selector: ({ project, name }) => `${project} ${name}` },
    ),
    steps: fc.array(fc.record({ parameter: fc.nat(), environment: fc.nat(), wish }), { minLength: 4, maxLength: 18 }),
  })
  .map(({ environments, projects: [count, depends], parameters, steps }) => {
    const world: World = {
      environments: [
        { name: 'default', parent: null },
        ...environments.map((parent, index) => ({ name: `environment ${index}`, parent })),
      ],
      projects: depends.map((to, index) => ({ name: `project ${index}`, dependsOn: to === index ? null : to })),
      parameters: parameters.map((parameter) => ({ ...parameter, project: parameter.project % count })).filter(first),
      values: [],
    };
    return {
      world,
      steps: steps.map((step) => ({
        ...step,
        parameter: step.parameter % world.parameters.length,
        environment: step.environment % world.environments.length,
      })),
    };
  });

type Named = World['parameters'][number];
function first({ project, name }: Named, index: number, all: readonly Named[]): boolean {
  return all.findIndex((other) => other.project === project && other.name === name) === index;
}

/** The text that a wish stores, or undefined for a removal; null for an explicit null. */
export function stored(
  world: World,
  { parameter: index, wish: wanted }: Step,
): { text: string | null; dynamic: boolean } | undefined {
  const parameter = world.parameters[index];
  if (!parameter) throw new Error(`There is no parameter ${index}.`);
  switch (wanted.kind) {
    case 'text':
      return { text: wanted.text, dynamic: false };
    case 'null':
      return { text: null, dynamic: false };
    case 'remove':
      return undefined;
    case 'dynamic': {
      const earlier = visibleNames(world, parameter.project).filter(
        (name) => NAMES.indexOf(name as never) < NAMES.indexOf(parameter.name as never),
      );
      // A secret is never dynamic, and what has nothing to refer to is literal.
      if (parameter.secret || earlier.length === 0) return { text: wanted.before, dynamic: false };
      const references = wanted.picks.map((pick) => `{{ ${earlier[pick % earlier.length]} }}`);
      return { text: wanted.before + references.join('-'), dynamic: true };
    }
  }
}

/** The world after a step. */
export function after(world: World, step: Step): World {
  const { parameter, environment } = step;
  const others = world.values.filter((value) => value.parameter !== parameter || value.environment !== environment);
  const made = stored(world, step);
  return { ...world, values: made ? [...others, { parameter, environment, ...made }] : others };
}
