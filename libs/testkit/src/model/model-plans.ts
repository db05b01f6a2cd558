import fc from 'fast-check';
import { buildModelPlan, type ModelEdit, type ModelPlan } from './model-edits.ts';

const KINDS: readonly (readonly [ModelEdit['kind'], number])[] = [
  ['set text', 10],
  ['set dynamic', 8],
  ['set null', 2],
  ['delete value', 3],
  ['create parameter', 2],
  ['rename parameter', 2],
  ['delete parameter', 1],
  ['create environment', 1],
  ['move environment', 2],
  ['rename environment', 1],
  ['delete environment', 1],
  ['create project', 1],
  ['move project', 2],
  ['rename project', 1],
  ['delete project', 1],
  ['create template', 1],
  ['delete template', 1],
];
const ACCESS_KINDS: typeof KINDS = [
  ['control environment', 2],
  ['control project', 2],
];
/** Creates the objects that later steps use. */
const BEGINNING: readonly ModelEdit['kind'][] = [
  ...Array<ModelEdit['kind']>(3).fill('create environment'),
  ...Array<ModelEdit['kind']>(3).fill('create project'),
  ...Array<ModelEdit['kind']>(7).fill('create parameter'),
  ...Array<ModelEdit['kind']>(7).fill('set text'),
  ...Array<ModelEdit['kind']>(4).fill('set dynamic'),
];

const text = fc.oneof(
  fc.constantFrom('', ' ', '*****', '{{ alpha }}', '{% raw', "it's", 'ünïcode 🎉', '#no // comment\n', 'same'),
  fc.string({ maxLength: 8 }).filter((sample) => !/[\0\ud800-\udfff]/.test(sample)),
);

export interface PlanSize {
  /** The number of steps after a few environments, projects, parameters and values were created. */
  readonly steps: number;
  /** Whether steps also change the reader's access to scopes. */
  readonly access?: boolean;
  /** Restricts the steps to these kinds. */
  readonly kinds?: readonly ModelEdit['kind'][];
}

/** Generates random trees, chains and texts, and edits of them. */
export function modelPlans({ steps, access = false, kinds }: PlanSize): fc.Arbitrary<ModelPlan> {
  const weightedKinds = [...KINDS, ...(access ? ACCESS_KINDS : [])].filter(([kind]) => kinds?.includes(kind) ?? true);
  const anyKind = fc.oneof(...weightedKinds.map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind) })));
  const edits = (kind: fc.Arbitrary<ModelEdit['kind']>) =>
    fc.record({ kind, picks: fc.tuple(fc.nat(), fc.nat(), fc.nat()), text });
  const beginning = fc.tuple(...BEGINNING.map((kind) => edits(fc.constant(kind))));
  const furtherEdits = fc.array(edits(anyKind), { minLength: Math.ceil(steps / 2), maxLength: steps });
  return fc.tuple(beginning, furtherEdits).map(([first, then]) => buildModelPlan([...first, ...then]));
}
