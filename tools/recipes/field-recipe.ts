// The recipe "A field" of docs/contributing/recipes.md as data: everything that a plain field of a versioned noun takes.
// The example is the text `owner_note` of projects.
import { KNOWN_SCHEMA } from '../../apps/core/src/platform/postgres/migrations/index.ts';

/** A file that a developer writes by hand: a new one, or one with a text inserted before an existing text. */
export type RecipeStep =
  | { readonly file: string; readonly content: string }
  | { readonly file: string; readonly before: string; readonly insert: string };

const number = KNOWN_SCHEMA.number + 1;
const serial = String(number).padStart(4, '0');
const name = `OwnerNotes${1_700_000_000_000 + number}`;

const MIGRATION = `import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Adds the owner note of projects. A core of the previous release leaves it empty. */
export class ${name} implements MigrationInterface {
  readonly name = '${name}';
  readonly servesCoresFrom = 16;

  async up(db: QueryRunner): Promise<void> {
    for (const table of ['project', 'project_history']) {
      await db.query(\`alter table \${table} add owner_note text not null default ''\`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of ['project', 'project_history']) await db.query(\`alter table \${table} drop owner_note\`);
  }
}
`;

const SPEC = `import type { Project } from '@strata/contract';
import { useSharedGraphQL } from './graphql-access.ts';

const access = useSharedGraphQL();

test('the owner note of a project is created, changed, read at a revision, and shown by GraphQL', async () => {
  const { owner } = access.organization;
  const { body: created } = await owner.post<Project>('projects/', { name: 'notes', owner_note: 'first' });
  const { body: changed } = await owner.patch<Project>(\`projects/\${created.id}/\`, { owner_note: 'second' });
  expect([created.owner_note, changed.owner_note]).toEqual(['first', 'second']);

  const { body: before } = await owner.get<Project>(\`projects/\${created.id}/?as_of=\${created.created_at}\`);
  expect(before.owner_note).toBe('first');

  const { project } = await access.request('query ($id: ID!) { project(id: $id) { ownerNote } }', { id: created.id });
  expect(project).toEqual({ ownerNote: 'second' });
});
`;

export const FIELD_RECIPE: readonly RecipeStep[] = [
  { file: `apps/core/src/platform/postgres/migrations/${serial}-owner-notes.ts`, content: MIGRATION },
  {
    file: 'apps/core/src/platform/postgres/migrations/index.ts',
    before: '\ninterface DescribedMigration',
    insert: `import { ${name} } from './${serial}-owner-notes.ts';\n`,
  },
  {
    file: 'apps/core/src/platform/postgres/migrations/index.ts',
    before: '];\n\nconst described',
    insert: `  ${name},\n`,
  },
  {
    file: 'apps/core/src/platform/postgres/versioned-table.ts',
    before: ' },\n  // only the built-in types have no parent',
    insert: ', owner_note: text',
  },
  {
    file: 'libs/evidence/src/stored-contents.ts',
    before: "    columns: ['name', 'description', 'parameter_name_pattern', 'depends_on_id'],\n",
    insert: "    laterColumns: { owner_note: '' },\n",
  },
  {
    file: 'libs/contract/src/project.ts',
    before: "    dependents: z.array(linkOutput).meta({ description: 'The projects that inherit",
    insert: "    owner_note: z.string().meta({ description: 'Note of the owner; may be empty.' }),\n",
  },
  {
    file: 'libs/contract/src/project.ts',
    before: "    depends_on: memberWithDefault(linkOrNullIn, null, 'The project to inherit from; null for none.'),",
    insert: "    owner_note: memberWithDefault(freeTextField(), '', 'Note of the owner; may be empty.'),\n",
  },
  {
    file: 'docs/spec/domain.md',
    before: ', access_controlled | 0..1 depends_on; forest',
    insert: ', owner_note',
  },
  { file: 'apps/e2e/src/owner-notes.e2e-spec.ts', content: SPEC },
];
