import { z } from 'zod';
import { Role } from './role.ts';

/*
 * The snapshot as a file to import. Version 1 declares most members as optional, and other services add members of their own. So unknown
 * members are ignored, and only what the import cannot do without is required.
 */

const mapField = <Item extends z.ZodType>(item: Item) => z.record(z.string(), item).nullish();
const text = () => z.string().nullish();
const name = () => z.string().min(1);

const projectShape = () => {
  // Browsers that do not provide the text of a number read it as a double, which is exact only for safe integers.
  const Rule = z.object({ rule_type: z.string(), constraint: z.union([z.string(), z.int()]).transform(String) });
  const Value = z.object({
    environment: z.string(),
    external: z.object({ fqn: text() }).nullish(),
    evaluated: z.boolean(),
    /** The environment that the value is set in. Another environment than `environment` means that it is inherited. */
    source: text(),
    /** The project that the value is set in. Another project than that of the parameter means that it is inherited. */
    project: text(),
    value: text(),
    raw: text(),
  });
  const Parameter = z.object({
    name: name(),
    param_type: z.string(),
    secret: z.boolean(),
    description: text(),
    expires: text(),
    rules: mapField(Rule),
    values: mapField(Value.nullable()),
  });
  const Template = z.object({ name: name(), text: z.string(), description: text() });
  const Project = z.object({
    name: name(),
    parent: text(),
    description: text(),
    parameters: mapField(Parameter),
    templates: mapField(Template),
  });
  return { Rule, Project };
};

const snapshotShape = () => {
  const { Rule, Project } = projectShape();
  const Principal = z.object({ email: text(), service_account: text(), group: text() });
  const Tag = z.object({
    environment: z.string(),
    name: name(),
    description: text(),
    timestamp: z.string(),
    immutable: z.boolean().nullish(),
  });
  return z.object({
    environments: z.record(z.string(), z.object({ name: name(), parent: text(), description: text() })),
    types: mapField(z.object({ name: name(), parent: z.string(), description: text(), rules: mapField(Rule) })),
    projects: z.record(z.string(), Project),
    timestamp: text(),
    tags: z.array(Tag).nullish(),
    groups: z.array(z.object({ name: name(), description: text(), members: z.array(Principal).nullish() })).nullish(),
    grants: z.array(z.object({ principal: Principal, project: text(), environment: text(), role: Role })).nullish(),
  });
};

export type SnapshotFile = z.infer<ReturnType<typeof snapshotShape>>;

export type SnapshotParsed =
  | { readonly snapshot: SnapshotFile; readonly problem?: undefined }
  /** `problem` names the first wrong member by its path. It never contains a value. */
  | { readonly problem: string; readonly snapshot?: undefined };

/** Reads the text of a snapshot. */
export function parseSnapshotFile(file: string): SnapshotParsed {
  let input: unknown;
  try {
    input = JSON.parse(file.replace(/^\uFEFF/, ''), readSnapshotMember);
  } catch {
    return { problem: 'The file is not valid JSON. Choose the response of the backup snapshot, unchanged.' };
  }
  const { success, data, error } = withoutCodeGeneration(() => snapshotShape().safeParse(input));
  if (success) return { snapshot: data };
  const [issue] = error.issues;
  const path = (issue?.path ?? [])
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('');
  const member = path === '' ? 'it' : `\`${path.replace(/^\./, '')}\``;
  return { problem: `The file is not a snapshot: ${member} ${expected(issue, input)}.` };
}

/** Zod generates code for shapes, which the content security policy of the console forbids. */
function withoutCodeGeneration<Result>(use: () => Result): Result {
  const { jitless = false } = z.config();
  z.config({ jitless: true });
  try {
    return use();
  } finally {
    z.config({ jitless });
  }
}

/** Keeps the text of a constraint that is a number, because a double cannot represent every digit. */
function readSnapshotMember(key: string, value: unknown, { source }: { readonly source?: string } = {}): unknown {
  return typeof value === 'number' && key === 'constraint' ? (source ?? value) : withUsableKeys(value);
}

/** Zod ignores the key `__proto__`. The import reads names from `name`, so the member can have another key. */
function withUsableKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, '__proto__')) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key === '__proto__' ? '__proto__ ' : key, member]),
  );
}

/** Describes what a member must be. Messages of the validator could quote the input, which can be a secret. */
function expected(issue: z.core.$ZodIssue | undefined, input: unknown): string {
  if (issue?.code === 'too_small') return 'must not be empty';
  if (issue?.code !== 'invalid_type') return 'has a value that is not supported';
  const inside = (container: unknown, part: PropertyKey) => (container as Readonly<Record<PropertyKey, unknown>>)[part];
  if (issue.path.reduce(inside, input) === undefined) return 'is missing';
  const isObject = issue.expected === 'record' || issue.expected === 'object';
  return `must be ${isObject ? 'an object' : `a ${issue.expected}`}`;
}
