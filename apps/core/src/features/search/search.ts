import { Injectable } from '@nestjs/common';
import { parseQuery, type SearchPage, SearchQuery } from '@strata/contract';
import {
  compareNames,
  Failure,
  forbiddenScopes,
  indexById,
  type ListKey,
  listWinStates,
  literalTest,
  matchAnywhere,
  matchName,
  type ProjectLink,
  SEARCH_FIELDS,
  type SearchField,
  type TextTest,
  type VisibleParameter,
  type WinningCell,
} from '@strata/domain';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import { PointsInTime } from '../../platform/http/points-in-time.ts';
import type { Call } from '../../platform/http/request.ts';
import type { QueryResult } from '../../platform/http/response-cache.ts';
import type { Head } from '../../platform/ledger/heads.ts';
import { PatternEngine } from '../../platform/patterns/pattern-engine.ts';
import { patternProblem, RULE_PATTERN_LENGTH_MAX } from '../../platform/patterns/patterns.ts';
import { BoundedPage } from '../effective/bounded-page.ts';
import {
  listLineages,
  ProjectWalks,
  readableEnvironments,
  readableProjects,
  type WalkedProject,
} from '../effective/project-walk.ts';
import { parsePositionAfter, presentProgress, projectsFrom, resolveWalkScope } from '../effective/walk-request.ts';
import { Forests } from '../snapshot/forest.ts';
import type { ParameterRecord } from '../snapshot/snapshot.ts';
import { PatternBudget, patternTest } from './pattern-test.ts';
import { type CandidateNames, candidateRows, narrowSearch, type SearchCandidate } from './search-candidates.ts';
import { type CellQuery, SearchCells } from './search-cells.ts';
import { type HitRow, presentHit } from './search-hit.ts';

/** The number of names that are processed at once. It is smaller for patterns, which take longer. */
const NAMES_AT_ONCE = { literal: 100, regex: 10 } as const;
/**
 * A cursor consists of the project's name, its id, and the parameter name. The parameter name is null if all names of
 * the project have been searched.
 */
const KEY_PARTS = 3;

type Visible = VisibleParameter<ParameterRecord>;

/** A request whose names are resolved. */
interface SearchRequest extends CellQuery {
  readonly query: SearchQuery;
  readonly fields: readonly SearchField[];
  readonly after: ListKey | null;
  readonly budget: PatternBudget;
}

/** The hits among some names of a project. */
interface FoundPiece {
  readonly hits: readonly HitRow[];
  /** The number of texts that could not be compared. */
  readonly skipped: number;
}

/** Searches effective texts, project by project, until a page is full or the time is up. */
@Injectable()
export class Search {
  constructor(
    private readonly pointsInTime: PointsInTime,
    private readonly forests: Forests,
    private readonly walks: ProjectWalks,
    private readonly cells: SearchCells,
    private readonly patterns: PatternEngine,
  ) {}

  /** Returns a page of hits. Throws 404 if a project or environment does not exist, and 403 if it is forbidden. */
  async find({ caller, query: input, url }: Call, headNow: () => Promise<Head>): Promise<QueryResult> {
    const query = parseQuery(SearchQuery, input);
    assertPattern(query);
    const after = parsePositionAfter({ url }, query, KEY_PARTS);
    const { at, environments: requestedEnvironments } = await resolveWalkScope(this.pointsInTime, caller, query);
    const head = at === 'now' ? await headNow() : null;
    const fields = query.in ?? SEARCH_FIELDS;
    const { organizationId } = caller;
    const forbiddenScopeIds = forbiddenScopes(caller);
    const rows = candidateRows(query, fields, at, forbiddenScopeIds);
    const forest = await this.forests.of<SearchCandidate>({ organizationId, at }, rows);
    const environments = readableEnvironments(forest, caller, requestedEnvironments);
    const { projects, names } = narrowSearch(forest, forest.further, {
      projects: readableProjects(forest, caller, query.project),
      forbidden: new Set(forbiddenScopeIds),
      comparesValues: filtersValues(query) || fields.includes('value'),
    });
    const lineageOf = listLineages(forest);
    const budget = new PatternBudget();
    const request = { query, fields, after, forest, permissions: caller, environments, lineageOf, budget };
    const page = new BoundedPage<HitRow>(query.page_size, performance.now() + query.within_ms);
    const namesOf = names && ((project: ProjectLink) => names.after(after, project));
    const walk = this.walks.of(forest, projectsFrom(projects, after), { environments: requestedEnvironments, namesOf });
    const skippedCount = await this.fill(page, walk, request);
    const isRepeatable = head?.revision === forest.revision && !page.isIncomplete && skippedCount === 0;
    return {
      revision: forest.revision,
      currentVersion: head && isRepeatable ? { head, contentVersion: null } : null,
      write: async (links) => {
        const searchContext = {
          links,
          projects: indexById(forest.projects),
          environments: indexById(forest.environments),
        };
        const body: SearchPage = {
          revision: forest.revision,
          ...presentProgress({ url }, links, page),
          skipped: skippedCount,
          checked: names ? names.count - uncheckedNames(names, projects, page) : null,
          to_check: names?.count ?? null,
          results: page.rows.map((row) => presentHit(row, query, searchContext)),
        };
        return { body, hasClearSecret: () => false };
      },
    };
  }

  /** Fills the page. Returns the number of texts that could not be compared. */
  private async fill(
    page: BoundedPage<HitRow>,
    walk: AsyncIterable<WalkedProject>,
    request: SearchRequest,
  ): Promise<number> {
    const { query, budget } = request;
    const size = NAMES_AT_ONCE[query.match === 'regex' ? 'regex' : 'literal'];
    let skippedCount = 0;
    for await (const walkedProject of walk) {
      const { name, id } = walkedProject.project;
      const names = matchingNames(walkedProject, request);
      for (let start = 0; start < names.length && !page.isOver; start += size) {
        const piece = await this.piece(walkedProject, names.slice(start, start + size), request);
        // The next page starts with a full time budget, so it can decide these names.
        if (piece.skipped > 0 && budget.isSpent && page.hasBegun) {
          page.stop();
          break;
        }
        skippedCount += piece.skipped;
        for (const hit of piece.hits) page.add([name, id, hit.parameter.name], hit);
        page.pass([name, id, names[Math.min(start + size, names.length) - 1]?.parameter.name ?? null]);
      }
      if (page.isOver) break;
      const lastName = walkedProject.visible.at(-1)?.parameter.name;
      if (walkedProject.isLastPart || lastName !== undefined)
        page.pass([name, id, walkedProject.isLastPart ? null : (lastName ?? null)]);
      if (page.isOver) break;
    }
    return skippedCount;
  }

  private async piece(
    walkedProject: WalkedProject,
    names: readonly Visible[],
    request: SearchRequest,
  ): Promise<FoundPiece> {
    const { fields, query } = request;
    const isOfValues = fields.includes('value');
    const namesAndDescriptions = names.flatMap(({ parameter }) => [parameter.name, parameter.description]);
    // If values are not searched, names and descriptions are matched first, so that only matching names are evaluated.
    const nameTest = isOfValues ? null : await this.createTest(namesAndDescriptions, request);
    const requestedTexts =
      nameTest === null ? names : names.filter(({ parameter }) => isWorded(parameter, fields, nameTest));
    const cells = (await this.cells.of(walkedProject, requestedTexts, request)).map((cellsOfName) =>
      inStates(cellsOfName, walkedProject, query),
    );
    const texts = isOfValues ? cells.flat().flatMap(({ text, secret }) => (secret || text === null ? [] : [text])) : [];
    const textTest = nameTest ?? (await this.createTest([...namesAndDescriptions, ...texts], request));
    const hits: HitRow[] = [];
    let skippedCount = cells.flat().filter(({ failed }) => isOfValues && failed).length;
    const yielder = new EventLoopYielder();
    for (const [index, { parameter }] of requestedTexts.entries()) {
      const { name, description } = parameter;
      const { match, undecided } = matchName(
        { name, description, cells: cells[index] ?? [] },
        { fields, test: textTest, needsEffective: filtersValues(query) },
      );
      skippedCount += undecided;
      if (match) hits.push({ project: walkedProject.project, parameter, match });
      if (yielder.isDue) await yielder.yield();
    }
    return { hits, skipped: skippedCount };
  }

  private async createTest(texts: readonly string[], { query, budget }: SearchRequest): Promise<TextTest> {
    const { q, match = 'contains', ignore_case: ignoreCase } = query;
    if (match !== 'regex') return literalTest(match, q, ignoreCase);
    return patternTest(this.patterns, ignoreCase ? `(?i:${q})` : q, texts, budget);
  }
}

/** Whether names without an effective value are excluded. */
function filtersValues({ environment, state }: SearchQuery): boolean {
  return environment !== undefined || state !== undefined;
}

/** Returns the number of names that follow the page. */
function uncheckedNames(
  names: CandidateNames,
  projects: readonly ProjectLink[],
  { next }: BoundedPage<HitRow>,
): number {
  return next === null ? 0 : names.countAfter(next, projectsFrom(projects, next));
}

/** Returns the names of a project that pass the filters and come after the cursor. */
function matchingNames({ visible, project }: WalkedProject, { query, after }: SearchRequest): readonly Visible[] {
  const isHere = after !== null && after[0] === project.name && after[1] === project.id;
  const lastName = isHere ? after[2] : undefined;
  if (lastName === null) return [];
  return visible.filter(
    ({ parameter: { name, secret, type } }) =>
      (lastName === undefined || compareNames(name, lastName) > 0) &&
      (query.secret === undefined || query.secret === secret) &&
      (query.type === undefined || query.type === type),
  );
}

function isWorded({ name, description }: ParameterRecord, fields: readonly SearchField[], textTest: TextTest): boolean {
  // A name that could not be compared in time is kept, so that it is counted as skipped.
  const may = (field: SearchField, text: string) => fields.includes(field) && textTest(text) !== false;
  return may('name', name) || may('description', description);
}

function inStates(
  cells: readonly WinningCell[],
  { project }: WalkedProject,
  { state: states }: SearchQuery,
): readonly WinningCell[] {
  if (states === undefined) return cells;
  return cells.filter((cell) => listWinStates(cell, project.id).some((state) => states.includes(state)));
}

/**
 * Validates the pattern on its own, and as a part of another pattern: an unfinished quotation could change its meaning
 * there.
 */
function assertPattern({ q, match }: SearchQuery): void {
  if (match !== 'regex') return;
  const problem =
    patternProblem(q, RULE_PATTERN_LENGTH_MAX) ?? patternProblem(matchAnywhere(q), Number.MAX_SAFE_INTEGER);
  if (problem !== null) throw Failure.field('invalid_pattern', 'q', problem);
}
