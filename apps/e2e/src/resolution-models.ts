import fc from 'fast-check';
import { type Model, visibleNames } from './resolution-model.ts';

/** In this order texts refer only to earlier names, so no loop can come of it. Two differ from their export names. */
export const NAMES = ['alpha', 'Beta', 'gamma', 'host_1'] as const;

/** What somebody does to a value: sets it, sets it to null, makes it dynamic, or removes it. */
export type StepInput =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'null' }
  | { readonly kind: 'dynamic'; readonly before: string; readonly picks: readonly number[] }
  | { readonly kind: 'remove' };

export interface ModelStep {
  readonly parameter: number;
  readonly environment: number;
  readonly input: StepInput;
}

export interface Plan {
  readonly inputs: Model;
  readonly steps: readonly ModelStep[];
}

const text = fc.oneof(
  fc.constantFrom('', ' ', '*****', '{{ alpha }}', '{% raw', "it's", 'ünïcode 🎉', '#no // comment\n'),
  fc.string({ maxLength: 8 }).filter((each) => !/[\0\ud800-\udfff]/.test(each)),
);

/** Text around references is copied as it is, so it must not hold what the language gives a meaning to. */
const plain = fc.constantFrom('', 'x', '://', ' ', '"', 'ü', '\n');

const input: fc.Arbitrary<StepInput> = fc.oneof(
  { weight: 4, arbitrary: text.map((each): StepInput => ({ kind: 'text', text: each })) },
  { weight: 1, arbitrary: fc.constant<StepInput>({ kind: 'null' }) },
  { weight: 1, arbitrary: fc.constant<StepInput>({ kind: 'remove' }) },
  {
    weight: 3,
    arbitrary: fc
      .record({ before: plain, picks: fc.array(fc.nat(), { minLength: 1, maxLength: 3 }) })
      .map((each): StepInput => ({ kind: 'dynamic', ...each })),
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
    steps: fc.array(fc.record({ parameter: fc.nat(), environment: fc.nat(), input }), { minLength: 4, maxLength: 18 }),
  })
  .map(({ environments, projects: [count, depends], parameters, steps }) => {
    const model: Model = {
      environments: [
        { name: 'default', parent: null },
        ...environments.map((parent, index) => ({ name: `environment ${index}`, parent })),
      ],
      projects: depends.map((to, index) => ({ name: `project ${index}`, dependsOn: to === index ? null : to })),
      parameters: parameters.map((parameter) => ({ ...parameter, project: parameter.project % count })).filter(first),
      values: [],
    };
    return {
      inputs: model,
      steps: steps.map((step) => ({
        ...step,
        parameter: step.parameter % model.parameters.length,
        environment: step.environment % model.environments.length,
      })),
    };
  });

type Named = Model['parameters'][number];
function first({ project, name }: Named, index: number, all: readonly Named[]): boolean {
  return all.findIndex((other) => other.project === project && other.name === name) === index;
}

/** The text that a step stores, or undefined for a removal; null for an explicit null. */
export function stored(
  model: Model,
  { parameter: index, input: wanted }: ModelStep,
): { text: string | null; dynamic: boolean } | undefined {
  const parameter = model.parameters[index];
  if (!parameter) throw new Error(`There is no parameter ${index}.`);
  switch (wanted.kind) {
    case 'text':
      return { text: wanted.text, dynamic: false };
    case 'null':
      return { text: null, dynamic: false };
    case 'remove':
      return undefined;
    case 'dynamic': {
      const earlier = visibleNames(model, parameter.project).filter(
        (name) => NAMES.indexOf(name as never) < NAMES.indexOf(parameter.name as never),
      );
      // A secret is never dynamic, and what has nothing to refer to is literal.
      if (parameter.secret || earlier.length === 0) return { text: wanted.before, dynamic: false };
      const references = wanted.picks.map((pick) => `{{ ${earlier[pick % earlier.length]} }}`);
      return { text: wanted.before + references.join('-'), dynamic: true };
    }
  }
}

/** The model after a step. */
export function after(model: Model, step: ModelStep): Model {
  const { parameter, environment } = step;
  const others = model.values.filter((value) => value.parameter !== parameter || value.environment !== environment);
  const made = stored(model, step);
  return { ...model, values: made ? [...others, { parameter, environment, ...made }] : others };
}
