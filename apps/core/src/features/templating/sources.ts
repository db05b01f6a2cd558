import type { EvaluationStep, Input, TextScope } from '@strata/domain';
import type { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import type { EvaluationInputs } from './evaluation-inputs.ts';

/** The subject of an error that no stored text causes. */
export const UNNAMED = { id: '00000000-0000-0000-0000-000000000000', field: '' };

type Opener = (column: string, rowId: string, sealed: Buffer) => string;

/** Returns the texts and objects that the ids in evaluation steps refer to. */
export class Sources {
  private readonly values: ReadonlyMap<string, EvaluationInputs['values'][number]>;
  private readonly templates: ReadonlyMap<string, EvaluationInputs['templates'][number]>;
  private readonly parameters: ReadonlyMap<string, EvaluationInputs['parameters'][number]>;
  private readonly projects: ReadonlyMap<string, string>;
  private readonly environments: ReadonlyMap<string, string>;

  constructor(
    inputs: EvaluationInputs,
    private readonly open: Opener | null,
  ) {
    this.values = new Map(inputs.values.map((value) => [value.id, value]));
    this.templates = new Map(inputs.templates.map((template) => [template.id, template]));
    this.parameters = new Map(inputs.parameters.map((parameter) => [parameter.id, parameter]));
    this.projects = new Map(inputs.projects.map(({ id, name }) => [id, name]));
    this.environments = new Map(inputs.environments.map(({ id, name }) => [id, name]));
  }

  /** Returns the unevaluated text of a step. */
  readText({ sourceId, isTemplate }: EvaluationStep): string {
    return (isTemplate ? this.templates.get(sourceId)?.body : this.values.get(sourceId)?.text) ?? '';
  }

  /** Returns the object to name in an error: the template, or the parameter of the value. */
  findOwner({ sourceId }: EvaluationStep): { readonly id: string; readonly field: string } {
    const template = this.templates.get(sourceId);
    if (template) return { id: template.id, field: template.name };
    const parameter = this.parameters.get(this.values.get(sourceId)?.parameterId ?? '');
    return { id: parameter?.id ?? UNNAMED.id, field: parameter?.name ?? '' };
  }

  /** Returns the inputs of a step. It decrypts secrets, which may take time. */
  async createScope(
    step: EvaluationStep,
    texts: ReadonlyMap<string, string>,
    yielder: EventLoopYielder,
  ): Promise<TextScope> {
    const ownScope = emptyScope();
    const projects = new Map<string, ReturnType<typeof emptyScope>>();
    for (const input of step.inputs) {
      let scope = ownScope;
      if (input.project !== null) {
        scope = projects.get(input.project) ?? emptyScope();
        projects.set(input.project, scope);
      }
      const text = this.inputText(input, texts);
      if (input.kind === 'parameter') scope.parameters.set(input.name, text);
      else scope.templates.set(input.name, text ?? '');
      if (yielder.isDue) await yielder.yield();
    }
    return {
      project: this.projects.get(step.projectId) ?? '',
      environment: this.environments.get(step.environmentId) ?? '',
      self: this.findOwner(step).field,
      ...ownScope,
      projects,
    };
  }

  private inputText({ valueId, from }: Input, texts: ReadonlyMap<string, string>): string | null {
    if (from !== null) return texts.get(from) ?? null;
    const value = valueId === null ? undefined : this.values.get(valueId);
    if (!value) return null;
    const { id, text, sealed } = value;
    return sealed === null || this.open === null
      ? text
      : this.open('value.sealed', id, Buffer.from(sealed.slice(2), 'hex'));
  }
}

function emptyScope() {
  return { parameters: new Map<string, string | null>(), templates: new Map<string, string>() };
}
