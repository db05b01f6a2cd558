import {
  type ConfigurationModel,
  EMPTY_MODEL,
  findByKey,
  listVisibleNames,
  type ModelAccess,
} from './configuration-model.ts';
import { applyToModel, isBefore, isPermitted, MODEL_NAMES, type ModelStep, type ModelStepKind } from './model-steps.ts';

/** The prefix of every secret text. Tests fail if it appears where secrets are not shown. */
export const SECRET_MARK = 'canary-5e4a';

/** A random edit. The picks select its objects from those that exist when it is applied. */
export interface ModelEdit {
  readonly kind: ModelStepKind | 'set text' | 'set null' | 'set dynamic';
  readonly picks: readonly [number, number, number];
  readonly text: string;
}

/** The steps, with the model before the first one and after each of them. */
export interface ModelPlan {
  readonly steps: readonly ModelStep[];
  /** Contains one more element than `steps`. */
  readonly models: readonly ConfigurationModel[];
}

/** Turns edits into steps, one after the other. Edits that the service would reject are skipped. */
export function buildModelPlan(edits: readonly ModelEdit[]): ModelPlan {
  const steps: ModelStep[] = [];
  const models: ConfigurationModel[] = [EMPTY_MODEL];
  let model = EMPTY_MODEL;
  for (const edit of edits) {
    const step = stepFor(model, edit);
    if (step === null || !isPermitted(model, step)) continue;
    model = applyToModel(model, step);
    steps.push(step);
    models.push(model);
  }
  return { steps, models };
}

/** Returns the step of an edit with existing objects, or null if there are none. */
function stepFor(model: ConfigurationModel, edit: ModelEdit): ModelStep | null {
  return ofStructure(model, edit) ?? ofContent(model, edit);
}

function ofStructure(
  model: ConfigurationModel,
  { kind, picks: [first, secondPick, third] }: ModelEdit,
): ModelStep | null {
  const environment = pick(model.environments.slice(1), first)?.key;
  const parent = pick(model.environments, secondPick)?.key ?? '';
  const project = pick(model.projects, first)?.key;
  // The additional choice is a project without a dependency.
  const dependsOn = pick([...model.projects, null], secondPick)?.key ?? null;
  const access = pick(['open', 'closed', 'closed', 'granted'] satisfies ModelAccess[], third) ?? 'open';
  switch (kind) {
    case 'create environment':
      return { kind, name: `environment_${model.createdCount}`, parent };
    case 'move environment':
      return environment === undefined ? null : { kind, environment, parent };
    case 'rename environment':
      return environment === undefined ? null : { kind, environment, name: `environment_${model.createdCount}` };
    case 'control environment':
      return { kind, environment: parent, access };
    case 'delete environment':
      return environment === undefined ? null : { kind, environment };
    case 'create project':
      return { kind, name: `project_${model.createdCount}`, dependsOn };
    case 'move project':
      return project === undefined ? null : { kind, project, dependsOn };
    case 'rename project':
      return project === undefined ? null : { kind, project, name: `project_${model.createdCount}` };
    case 'control project':
      return project === undefined ? null : { kind, project, access };
    case 'delete project':
      return project === undefined ? null : { kind, project };
    default:
      return null;
  }
}

function ofContent(model: ConfigurationModel, edit: ModelEdit): ModelStep | null {
  const { kind, picks, text } = edit;
  const [first, secondPick, third] = picks;
  const project = pick(model.projects, first)?.key;
  const parameter = pick(model.parameters, first)?.key;
  const name = pick(MODEL_NAMES, secondPick) ?? '';
  switch (kind) {
    case 'create parameter':
      if (project === undefined) return null;
      return { kind, name, project, secret: third % 4 === 0, description: `the ${name} ${third % 3}` };
    case 'rename parameter':
      return parameter === undefined ? null : { kind, parameter, name };
    case 'delete parameter':
      return parameter === undefined ? null : { kind, parameter };
    case 'set text':
    case 'set null':
    case 'set dynamic':
      return valueFor(model, edit);
    case 'delete value': {
      const value = pick(model.values, first);
      return value ? { kind, parameter: value.parameter, environment: value.environment } : null;
    }
    case 'create template':
      if (project === undefined) return null;
      return {
        kind,
        name: `template_${model.createdCount}`,
        project,
        body: textWith(model, project, picks, text, null),
      };
    case 'delete template': {
      const template = pick(model.templates, first)?.key;
      return template === undefined ? null : { kind, template };
    }
    default:
      return null;
  }
}

function valueFor(model: ConfigurationModel, { kind, picks, text }: ModelEdit): ModelStep | null {
  const parameter = pick(model.parameters, picks[0]);
  const environment = pick(model.environments, picks[1])?.key;
  if (!parameter || environment === undefined) return null;
  const { key, name, project, secret } = parameter;
  const position = { parameter: key, environment };
  if (kind === 'set null') return { kind: 'set value', ...position, text: null, dynamic: false };
  if (secret) return { kind: 'set value', ...position, text: `${SECRET_MARK} ${text}`, dynamic: false };
  if (kind === 'set text') return { kind: 'set value', ...position, text, dynamic: false };
  return { kind: 'set value', ...position, text: textWith(model, project, picks, text, name), dynamic: true };
}

/**
 * Returns a text that refers to one or two names: of its own project, of another one, or of the requested environment.
 */
function textWith(
  model: ConfigurationModel,
  project: string,
  [first, secondPick, third]: ModelEdit['picks'],
  text: string,
  before: string | null,
): string {
  const seenFrom = (key: string) =>
    listVisibleNames(model, key).filter((name) => before === null || isBefore(name, before));
  const otherProject = pick(model.projects, secondPick)?.key ?? project;
  const ownReferences = seenFrom(project).flatMap((name) => [`{{ ${name} }}`, `{{ strata.parameters.${name} }}`]);
  const foreignReferences = seenFrom(otherProject).map(
    (name) => `{{ strata.projects.${findByKey(model.projects, otherProject).name}.parameters.${name} }}`,
  );
  const references = [...ownReferences, ...foreignReferences, '{{ strata.environment }}', '{{ strata.project }}'];
  const chosenReferences = [pick(references, third), ...(first % 2 ? [pick(references, first + secondPick)] : [])];
  // The text around the references is copied literally, so it must not contain template syntax.
  return text.replaceAll(/[{}%]/g, '') + chosenReferences.join('-');
}

function pick<T>(candidates: readonly T[], number: number): T | undefined {
  return candidates[number % candidates.length];
}
