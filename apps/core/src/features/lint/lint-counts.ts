import { Injectable } from '@nestjs/common';
import { LintQuery, parseQuery } from '@strata/contract';
import { indexById, type ProjectId } from '@strata/domain';
import type { Caller } from '../../platform/caller.ts';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import { ProjectWalks, readableEnvironments, readableProjects } from '../effective/project-walk.ts';
import { Forests } from '../snapshot/forest.ts';
import { createRequest, Lint } from './lint.ts';
import { listFindings } from './project-lint.ts';

/** Counts the findings of projects. */
@Injectable()
export class LintCounts {
  constructor(
    private readonly forests: Forests,
    private readonly walks: ProjectWalks,
    private readonly lint: Lint,
  ) {}

  /**
   * Returns the number of findings by project, in the order of the projects, until the deadline on the clock of `performance.now()`. Projects that
   * were not reached or that the caller may not read are absent.
   */
  async of(caller: Caller, ids: readonly ProjectId[], deadline: number): Promise<ReadonlyMap<ProjectId, number>> {
    const counts = new Map<ProjectId, number>();
    const forest = await this.forests.of({ organizationId: caller.organizationId, at: 'now' });
    const environments = readableEnvironments(forest, caller, undefined);
    const readableById = indexById(readableProjects(forest, caller, undefined));
    const projects = ids.flatMap((id) => readableById.get(id) ?? []);
    const request = createRequest(forest, caller, { query: parseQuery(LintQuery, {}), after: null, environments });
    const yielder = new EventLoopYielder();
    for await (const walkedProject of this.walks.of(forest, projects)) {
      if (performance.now() >= deadline) break;
      const inputs = await this.lint.loadInputs(walkedProject, request);
      let count = 0;
      for (const name of walkedProject.visible) {
        count += listFindings(name, inputs, request.kinds).length;
        if (yielder.isDue) await yielder.yield();
      }
      counts.set(walkedProject.project.id, count);
    }
    return counts;
  }
}
