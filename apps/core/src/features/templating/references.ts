import { Injectable } from '@nestjs/common';
import {
  type Binding,
  bindMentions,
  canOnScope,
  collectMentions,
  describeMention,
  Failure,
  findLoop,
  graphDepth,
  type Mention,
  type NeededObjects,
  type OrganizationId,
  type Permissions,
  type Problem,
  type ProjectId,
  type ProjectLink,
  type Referable,
  type Sentence,
  sentence,
  textGraph,
} from '@strata/domain';
import type { EntityManager } from 'typeorm';
import type { Writer } from '../../platform/ledger/command.ts';
import { listIgnoredScopes } from '../../platform/ledger/forbidden-values.ts';
import { SnapshotReader } from '../../platform/postgres/snapshot-reader.ts';
import type { PointInTime } from '../../platform/postgres/versioned-table.ts';
import { rowsAt } from '../../platform/postgres/versioned-table.ts';
import { listProjectsOutsideChain } from '../snapshot/lookup.ts';
import { projectChain } from '../snapshot/sql-parts.ts';
import { lateralJoin } from './dependency-sql.ts';
import { Language } from './liquid/language.ts';
import { type NamedText, namedTexts } from './named-texts.ts';
import { AROUND, NEEDED } from './reference-graph-sql.ts';

/** The maximum depth of nested texts, because each level takes another round of evaluation. */
const DEPTH_MAX = 16;

/** Texts of one project that contain references: values or templates. */
interface ReferenceSources {
  readonly organizationId: OrganizationId;
  /** The project in which the names of the texts are looked up. */
  readonly projectId: ProjectId;
  readonly kind: 'value' | 'template';
}

interface ReferenceSource extends ReferenceSources {
  readonly id: string;
}

/** A text, with everything that it refers to. */
interface TextMentions {
  readonly id: string;
  readonly mentions: readonly Mention[];
  /** The member of the request that contains the text. Without it, an error about its names is a list. */
  readonly field?: string;
}

/** A reference of the text `textId`. */
interface TextBinding extends Binding {
  readonly textId: string;
}

/** Creates the error of an invalid text for the member of the request that contains it. */
export type CreateInvalidTextError = (code: TextErrorCode, texts: readonly Sentence<'line' | 'column'>[]) => Failure;

type TextErrorCode = 'evaluation' | 'invalid_text' | 'too_costly' | 'unknown_name';

/**
 * Stores the references of texts inside the write that changes them. Rejects references to unknown names, and reference
 * cycles (domain.md §2.6).
 */
@Injectable()
export class References {
  constructor(private readonly language: Language) {}

  /** Returns the names that a text refers to. Call it before the write starts, because parsing takes time. */
  async mentionsIn(
    organizationId: OrganizationId,
    text: string,
    createInvalidTextError: CreateInvalidTextError,
  ): Promise<readonly Mention[]> {
    const paths = await this.language.pathsIn(organizationId, text);
    if ('problem' in paths) {
      const { code, problem: message, params = {} } = paths;
      throw createInvalidTextError(code === 'syntax' ? 'invalid_text' : code, [{ message, params }]);
    }
    const { mentions, problems } = collectMentions(paths);
    if (problems.length > 0) throw Failure.list('unknown_reference', problems);
    return mentions;
  }

  /** Replaces the references of a text. Rejects unknown names (E60) and cycles (E61). */
  store(
    em: EntityManager,
    caller: Requester,
    { id, ...source }: ReferenceSource,
    mentions: readonly Mention[],
  ): Promise<void> {
    return this.storeMany(em, caller, source, [{ id, mentions }]);
  }

  /** Replaces the references of texts. Runs the same number of statements, however many texts there are. */
  async storeMany(
    em: EntityManager,
    caller: Requester,
    referenceSources: ReferenceSources,
    texts: readonly TextMentions[],
  ): Promise<void> {
    const { organizationId, kind } = referenceSources;
    const ids = texts.map(({ id }) => id);
    await em.query(`delete from reference where organization_id = $1 and ${kind}_id = any($2::uuid[])`, [
      organizationId,
      ids,
    ]);
    if (texts.every(({ mentions }) => mentions.length === 0)) return;
    const reader = SnapshotReader.within(em);
    const bindings = await this.findBindings({ ...referenceSources, at: 'now', permissions: caller }, texts, reader);
    await insert(em, referenceSources, bindings);
    const loop = await this.loopThrough(em, caller, ids);
    if (loop) throw Failure.list('dependency_loop', [loop]);
  }

  /** Resolves the names in a text at a point in time. Throws E60 for unknown names, and 403 for forbidden projects. */
  bindings(request: ReferenceQuery, mentions: readonly Mention[], reader: SnapshotReader): Promise<readonly Binding[]> {
    return this.findBindings(request, [{ id: '', mentions }], reader);
  }

  private async findBindings(
    { organizationId, projectId, at, permissions }: ReferenceQuery,
    texts: readonly TextMentions[],
    reader: SnapshotReader,
  ): Promise<readonly TextBinding[]> {
    const mentions = texts.flatMap((text) => text.mentions);
    if (mentions.length === 0) return [];
    const mentionedProjects = new Set(mentions.flatMap(({ project }) => project ?? []));
    const names = new Set(mentions.map(({ name }) => name));
    const referableSets = await reader.sets<Referable & { readonly projectsNow: readonly ProjectLink[] }>(
      { organizationId, at },
      { ...referableAt(at), projectsNow: at === 'now' ? 'select where false' : NOW },
      [projectId, [...mentionedProjects], [...names]],
    );
    // Checks access before names. Otherwise callers could find out which names a forbidden project contains.
    const links = { projects: referableSets.projects, projectsNow: at === 'now' ? null : referableSets.projectsNow };
    for (const { id, name } of referableSets.projects) {
      const projectIds = mentionedProjects.has(name) ? [id, ...listProjectsOutsideChain(links, id)] : [];
      if (!projectIds.every((projectId) => canOnScope(permissions, 'read', projectId)))
        throw forbiddenReferenceError(name);
    }
    const bound = texts.map((text) => ({ ...text, ...bindMentions(projectId, text.mentions, referableSets) }));
    const projectName = referableSets.projects.find(({ id }) => id === projectId)?.name ?? '';
    const problems = bound.flatMap(({ field = 'non_field_errors', dangling }) =>
      dangling.map((mention) => ({ field, ...noSuchThing(mention, projectName) })),
    );
    if (problems.length > 0) throw unknownReferencesError(problems);
    return bound.flatMap(({ id, bindings }) => bindings.map((binding) => ({ ...binding, textId: id })));
  }

  /** Returns everything that some texts depend on, and the names of the parameters that the texts belong to. */
  async loadNeeds(
    em: EntityManager,
    organizationId: OrganizationId,
    textIds: readonly string[],
  ): Promise<NeededObjects> {
    const [neededObjects] = await em.query<NeededObjects[]>(NEEDED, [organizationId, null, textIds]);
    return neededObjects ?? { references: [], dynamicValues: [], projects: [] };
  }

  /**
   * Describes the first reference cycle that includes one of the texts, or a chain of texts through one of them that is
   * too deep. A change can only close a cycle through a changed text, so only the dependencies and dependents of these
   * are read.
   */
  async loopThrough(
    em: EntityManager,
    caller: Requester,
    textIds: readonly string[],
  ): Promise<Sentence<'names' | 'limit'> | null> {
    if (textIds.length === 0) return null;
    const { organizationId } = caller;
    const [objectsAround] = await SnapshotReader.within(em).query<NeededObjects>(AROUND, [
      organizationId,
      null,
      textIds,
    ]);
    if (!objectsAround) return null;
    const ids = [
      ...objectsAround.references.map(({ sourceId }) => sourceId),
      ...objectsAround.dynamicValues.map(({ id }) => id),
    ];
    const ignored = await findIgnoredTexts(em, caller, ids);
    const graph = textGraph(
      objectsAround.references.filter(({ sourceId }) => !ignored.has(sourceId)),
      objectsAround.dynamicValues.filter(({ id }) => !ignored.has(id)),
      objectsAround.projects,
    );
    const loop = findLoop(graph);
    if (loop) {
      const texts = new Map((await namedTexts(em, organizationId, loop)).map((text) => [text.id, text]));
      const names = [...loop, loop[0] ?? ''].map((id) => nameFor(caller, texts.get(id)));
      return { message: `This would be a circular reference: ${names.join(' → ')}.`, params: { names } };
    }
    if (graphDepth(graph) <= DEPTH_MAX) return null;
    return sentence`At most ${{ limit: DEPTH_MAX }} texts may refer to each other in a row. Replace one of the references by its value.`;
  }
}

/** Returns the name of a text, or a placeholder if it belongs to a forbidden project. */
function nameFor(permissions: Permissions, text: NamedText | undefined): string {
  return text && canOnScope(permissions, 'read', text.projectId) ? text.name : 'a text that you have no access to';
}

/** The caller who receives the error. */
export type Requester = Pick<Writer, 'organizationId' | 'role' | 'scopes' | 'planRecorder' | 'forbiddenValues'>;

interface ReferenceQuery {
  readonly organizationId: OrganizationId;
  readonly projectId: ProjectId;
  readonly at: PointInTime;
  /** The permissions of the caller, who cannot refer to objects that they may not read. */
  readonly permissions: Permissions;
}

/**
 * Returns the statements for the possible targets of a text's references. $3 is the project of the text, $4 contains
 * the names of projects and $5 the names of other objects that the text refers to.
 */
function referableAt(at: PointInTime): { readonly [Name in keyof Referable]: string } {
  const chain = `with recursive ${projectChain(at, 'project.id = $3::uuid or project.name = any($4::text[])')}`;
  const ownedSql = (table: 'parameter' | 'template') => `${chain}
    select object.id, object.project_id as "projectId", object.name
      from ${lateralJoin(
        'project_chain cross join unnest($5::text[]) name(name)',
        `select object.* from ${rowsAt(table, at)} object where object.project_id = project_chain.id and object.name = name.name`,
        'object',
      )}`;
  return {
    projects: `${chain} select id, name, depends_on_id as "dependsOnId" from project_chain`,
    parameters: ownedSql('parameter'),
    templates: ownedSql('template'),
  };
}

async function insert(
  em: EntityManager,
  { organizationId, kind }: ReferenceSources,
  references: readonly TextBinding[],
): Promise<void> {
  const column = <T>(pick: (reference: TextBinding) => T) => references.map(pick);
  await em.query(
    `insert into reference (organization_id, ${kind}_id, kind, project_id, named, name, target_parameter_id, target_template_id)
     select $1, * from unnest($2::uuid[], $3::text[], $4::uuid[], $5::boolean[], $6::text[], $7::uuid[], $8::uuid[])`,
    [
      organizationId,
      column(({ textId }) => textId),
      column(({ kind }) => kind),
      column(({ projectId }) => projectId),
      column(({ named }) => named),
      column(({ name }) => name),
      column(({ kind, targetId }) => (kind === 'parameter' ? targetId : null)),
      column(({ kind, targetId }) => (kind === 'template' ? targetId : null)),
    ],
  );
}

const NOW = 'select id, name, depends_on_id as "dependsOnId" from project where organization_id = $1';

function forbiddenReferenceError(project: string): Failure {
  return Failure.forbidden(
    sentence`The text refers to the project ${{ project }}, which you cannot access. Remove the reference, or ask one of the project’s owners for a grant.`,
  );
}

function unknownReferencesError(problems: readonly Problem[]): Failure {
  const isList = problems.every(({ field }) => field === 'non_field_errors');
  return isList
    ? Failure.list(
        'unknown_reference',
        problems.map(({ message, params = {} }) => ({ message, params })),
      )
    : Failure.fields('unknown_reference', problems);
}

function noSuchThing(mention: Mention, projectName: string): Sentence {
  const noun = mention.kind === 'template' ? 'template' : 'parameter';
  const project = mention.project ?? projectName;
  const message = `The text refers to ${describeMention(mention)}, which does not exist: ${project} has no ${noun} of that name.`;
  return { message, params: { object: noun, name: mention.name, project } };
}

/** Returns the texts that a write ignores because they are set in a forbidden environment. */
export async function findIgnoredTexts(
  em: EntityManager,
  caller: Requester,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const ignored = listIgnoredScopes(caller);
  if (ignored.length === 0 || ids.length === 0) return new Set();
  const rows = await em.query<{ id: string }[]>(
    'select id from value where organization_id = $1 and id = any($2::uuid[]) and environment_id = any($3::uuid[])',
    [caller.organizationId, [...new Set(ids)], ignored],
  );
  if (rows.length > 0) caller.forbiddenValues?.ignoreUnnamed();
  return new Set(rows.map(({ id }) => id));
}
