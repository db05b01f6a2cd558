import fc from 'fast-check';
import {
  type EvaluationScope,
  type EvaluationStep,
  evaluationSteps,
  STEPS_MAX,
  stepKey,
  type TextInEnvironment,
} from './evaluation.ts';

const ENVIRONMENTS = [
  { id: 'root', name: 'default', parentId: null },
  { id: 'dev', name: 'dev', parentId: 'root' },
];

/**
 * Parameters p0, p1, … of one project. Each has a dynamic value in `root` that refers to parameters with smaller
 * numbers.
 */
function chainWorld(references: readonly (readonly number[])[], secrets: readonly number[]): EvaluationScope {
  const numbers = references.map((_, n) => n);
  return {
    environments: ENVIRONMENTS,
    projects: [{ id: 'p', name: 'p', dependsOnId: null }],
    parameters: numbers.map((n) => ({ id: `x${n}`, projectId: 'p', name: `n${n}`, secret: secrets.includes(n) })),
    values: numbers.flatMap((n) => ({
      id: `v${n}`,
      parameterId: `x${n}`,
      environmentId: 'root',
      interpolated: !secrets.includes(n),
    })),
    templates: [],
    references: references.flatMap((targets, n) =>
      secrets.includes(n)
        ? []
        : targets.map((target) => ({
            sourceId: `v${n}`,
            kind: 'parameter' as const,
            projectId: 'p',
            named: false,
            name: `n${target}`,
            targetId: `x${target}`,
          })),
    ),
  };
}

function planSteps(model: EvaluationScope, texts: readonly TextInEnvironment[]): ReadonlyMap<string, EvaluationStep> {
  const planning = evaluationSteps(model, texts);
  for (let result = planning.next(); ; result = planning.next()) if (result.done) return result.value;
}

describe('evaluationSteps', () => {
  it('marks a text as secret exactly if it can reach a secret, and orders it after its dependencies', () => {
    const shape = fc
      .array(fc.array(fc.nat(20), { maxLength: 3 }), { minLength: 1, maxLength: 10 })
      .map((rows) => rows.map((row, n) => [...new Set(row.filter((target) => target < n))]));
    fc.assert(
      fc.property(shape, fc.array(fc.nat(9), { maxLength: 3 }), (references, secrets) => {
        const model = chainWorld(references, secrets);
        const texts = references.flatMap((_, n) =>
          secrets.includes(n) ? [] : [{ sourceId: `v${n}`, environmentId: 'dev' }],
        );
        const steps = planSteps(model, texts);
        const taints = (n: number): boolean =>
          (references[n] ?? []).some((target) => secrets.includes(target) || taints(target));
        for (const text of texts) {
          const step = steps.get(stepKey(text));
          expect(step?.secret).toBe(taints(Number(text.sourceId.slice(1))));
          for (const { from } of step?.inputs ?? []) {
            if (from !== null) expect(steps.get(from)?.depth).toBeLessThan(step?.depth ?? 0);
          }
        }
        expect(steps.size).toBe(texts.length);
      }),
    );
  });

  it('marks a text as secret because of a secret without a value in the environment', () => {
    const model = chainWorld([[], [0]], [0]);
    const steps = planSteps({ ...model, values: model.values.filter(({ id }) => id !== 'v0') }, [
      { sourceId: 'v1', environmentId: 'dev' },
    ]);
    expect([...steps.values()]).toEqual([
      expect.objectContaining({ secret: true, inputs: [expect.objectContaining({ valueId: null, from: null })] }),
    ]);
  });

  it('uses the effective value in the requested environment and the evaluated text of a dynamic value', () => {
    const model = chainWorld([[], [0]], []);
    const near = { id: 'near', parameterId: 'x0', environmentId: 'dev', interpolated: false };
    const steps = planSteps({ ...model, values: [...model.values, near] }, [
      { sourceId: 'v1', environmentId: 'dev' },
      { sourceId: 'v1', environmentId: 'root' },
    ]);
    expect(steps.get('v1 dev')?.inputs).toEqual([expect.objectContaining({ name: 'n0', valueId: 'near', from: null })]);
    expect(steps.get('v1 root')?.inputs).toEqual([expect.objectContaining({ valueId: null, from: 'v0 root' })]);
  });

  it('lists all parameters by name for a text that iterates over them', () => {
    const model = chainWorld([[], [], []], [2]);
    const through = {
      sourceId: 't',
      kind: 'parameters' as const,
      projectId: 'p',
      named: false,
      name: '',
      targetId: null,
    };
    const steps = planSteps({ ...model, templates: [{ id: 't', projectId: 'p', name: 't' }], references: [through] }, [
      { sourceId: 't', environmentId: 'root' },
    ]);
    const step = steps.get('t root');
    expect(step?.inputs.map(({ name }) => name)).toEqual(['n0', 'n1', 'n2']);
    expect(step).toMatchObject({ secret: true, isTemplate: true });
  });

  it('throws for a loop instead of running forever, although a loop cannot be written', () => {
    expect(() => planSteps(chainWorld([[1], [0]], []), [{ sourceId: 'v0', environmentId: 'root' }])).toThrow(
      'needs itself',
    );
  });

  it('pauses regularly and throws if there are too many steps', () => {
    const many = 400;
    const model = chainWorld(
      Array.from({ length: many }, (_, n) => (n === 0 ? [] : [n - 1])).map((row, n) => (n % 10 === 0 ? [] : row)),
      [],
    );
    const texts = model.values.map(({ id }) => ({ sourceId: id, environmentId: 'dev' }));
    const planning = evaluationSteps(model, texts);
    expect(planning.next().done).toBe(false);

    const template = { id: 't', projectId: 'p', name: 't' };
    const all = { kind: 'parameters' as const, projectId: 'p', named: false, name: '', targetId: null };
    const templates = Array.from({ length: 1_300 }, (_, n) => ({ ...template, id: `t${n}`, name: `t${n}` }));
    const references = templates.map(({ id }) => ({ ...all, sourceId: id }));
    const greedy = { ...model, templates, references: [...model.references, ...references] };
    const requested = templates.map(({ id }) => ({ sourceId: id, environmentId: 'dev' }));
    expect(() => planSteps(greedy, requested)).toThrow('refer to too many');
    const environments = Array.from({ length: 130 }, (_, n) => ({ id: `e${n}`, name: `e${n}`, parentId: 'root' }));
    const everywhere = environments.flatMap((environment) =>
      texts.map(({ sourceId }) => ({ sourceId, environmentId: environment.id })),
    );
    expect(everywhere.length).toBeGreaterThan(STEPS_MAX);
    expect(() => planSteps({ ...model, environments: [...environments, ...ENVIRONMENTS] }, everywhere)).toThrow(
      'Too many',
    );
  });
});
