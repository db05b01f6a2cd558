import { Body, Controller, Param, Post } from '@nestjs/common';
import { EnvironmentCopy, ParameterCopy, ParameterQuery, ProjectCopy, parseBody, parseQuery } from '@strata/contract';
import { Requires } from '../../platform/auth/requires.ts';
import { created } from '../../platform/http/answer.ts';
import { pathId } from '../../platform/http/links.ts';
import { readBack } from '../../platform/http/read-back.ts';
import { type Call, CurrentCall } from '../../platform/http/request.ts';
import { presentEnvironment } from '../environments/environments.presenter.ts';
import { EnvironmentsReader } from '../environments/environments.reader.ts';
import { ParametersReader } from '../parameters/parameters.reader.ts';
import { presentProject } from '../projects/projects.presenter.ts';
import { ProjectsReader } from '../projects/projects.reader.ts';
import { EnvironmentCopies } from './environment-copies.ts';
import { ParameterCopies } from './parameter-copies.ts';
import { ProjectCopies } from './project-copies.ts';

@Controller('environments/:id/copy')
export class EnvironmentCopiesController {
  constructor(
    private readonly copies: EnvironmentCopies,
    private readonly reader: EnvironmentsReader,
  ) {}

  @Post()
  @Requires('write_content')
  async create(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    const wish = parseBody(EnvironmentCopy, body);
    const { result, revision } = await this.copies.copy(call.caller, pathId('Environment', id), wish);
    const made = await readBack(revision, (at) => this.reader.one(call.caller, result, at));
    return created(call, made.revision, presentEnvironment(made.row, call.links));
  }
}

@Controller('projects/:id/copy')
export class ProjectCopiesController {
  constructor(
    private readonly copies: ProjectCopies,
    private readonly reader: ProjectsReader,
  ) {}

  @Post()
  @Requires('write_content')
  async create(@CurrentCall() call: Call, @Param('id') id: string, @Body() body: unknown) {
    const wish = parseBody(ProjectCopy, body);
    const { result, revision } = await this.copies.copy(call.caller, pathId('Project', id), wish);
    const made = await readBack(revision, (at) => this.reader.one(call.caller, result, at));
    return created(call, made.revision, presentProject(made.row, call));
  }
}

@Controller('projects/:project/parameters/:id/copy')
export class ParameterCopiesController {
  constructor(
    private readonly copies: ParameterCopies,
    private readonly reader: ParametersReader,
  ) {}

  @Post()
  @Requires('write_content')
  async create(
    @CurrentCall() call: Call,
    @Param('project') project: string,
    @Param('id') id: string,
    @Body() body: unknown,
  ) {
    const source = { projectId: pathId('Project', project), id: pathId('Parameter', id) };
    const { result, revision } = await this.copies.copy(call.caller, source, parseBody(ParameterCopy, body));
    const { caller, links } = call;
    const query = parseQuery(ParameterQuery, {});
    const key = { organizationId: caller.organizationId, ...result, standing: caller };
    const made = await readBack(revision, (at) => this.reader.one(key, query, links, at));
    return created(call, made.revision, made.parameter);
  }
}
