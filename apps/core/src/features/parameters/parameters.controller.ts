import { PARAMETERS, ParameterListQuery, ParameterQuery, parseQuery } from '@strata/contract';
import { pathId } from '../../platform/http/links.ts';
import type { PathParameters } from '../../platform/http/operation-controller.ts';
import { parseListQuery, presentListPage } from '../../platform/http/page.ts';
import { readBack } from '../../platform/http/read-back.ts';
import type { Call } from '../../platform/http/request.ts';
import { resourceController } from '../../platform/http/resource-controller.ts';
import { ResponseCache } from '../../platform/http/response-cache.ts';
import { LIST_ITEM_DEPTH } from '../../platform/http/send-json.ts';
import { toQueryResult } from '../snapshot/result-version.ts';
import { parameterKey } from './parameter-path.ts';
import { containsClearSecret, ParametersReader, type VisibleRecord } from './parameters.reader.ts';
import { ParametersService } from './parameters.service.ts';

/** The response to a write contains the parameter's values in all environments, evaluated. */
const AS_WRITTEN = { evaluate: true, immediate_parameters: false };

/** The fields that identify a position in the list. */
const SORTED_BY = ['parameter.name', 'parameter.id'] as const;

const projectId = ({ project_pk: project = '' }: PathParameters) => pathId('Project', project);
const readKey = ({ project_pk: project = '', id = '' }: PathParameters, call: Call) =>
  parameterKey(call, { project, parameter: id });

export const ParametersController = resourceController(
  PARAMETERS,
  { reader: ParametersReader, parameters: ParametersService, answers: ResponseCache },
  ({ reader, parameters, answers }) => ({
    readParent: (path) => projectId(path),
    readKey: (path, call) => readKey(path, call),
    answerList: (call, path) =>
      answers.send(
        call,
        async () => {
          const query = parseListQuery(ParameterListQuery, call);
          const { snapshot, write } = await reader.findPage(call.caller, projectId(path), query);
          return toQueryResult(snapshot, async (links) => {
            const { presentRecord, ...result } = await write(links);
            let hasClearSecret = false;
            const presentNoting = (visibleRecord: VisibleRecord) => {
              const parameter = presentRecord(visibleRecord);
              hasClearSecret ||= containsClearSecret(parameter, query);
              return parameter;
            };
            const listing = { url: call.url, reply: call.reply, links };
            const body = presentListPage(listing, query, result, presentNoting, SORTED_BY);
            return { body, hasClearSecret: () => hasClearSecret };
          });
        },
        LIST_ITEM_DEPTH,
      ),
    answerOne: (call, path) =>
      answers.send(call, async () => {
        const query = parseQuery(ParameterQuery, call.query);
        const { snapshot, write } = await reader.findOne(readKey(path, call), query);
        return toQueryResult(snapshot, async (links) => {
          const body = await write(links);
          return { body, hasClearSecret: () => containsClearSecret(body, query) };
        });
      }),
    retrieve: ({ call, key, query, at, reader: snapshotReader }) =>
      reader.readOne(key, query, call.links, at, snapshotReader),
    takesQueryInWrites: true,
    create: ({ caller, parent, input }) => parameters.create(caller, parent, input),
    change: ({ caller, key, input, precondition }) => parameters.change(caller, key, input, precondition),
    remove: ({ caller, key, precondition }) => parameters.remove(caller, key, precondition),
    assertShown: ({ call, key, query: { mask_secrets } }) =>
      reader.readOne(key, { ...AS_WRITTEN, mask_secrets }, call.links),
    // A worker thread evaluates dynamic values. A write must not wait for it, so the values are read after the commit.
    afterCommit: async (location, { call, caller, query: { mask_secrets }, revision }) => {
      const key = { organizationId: caller.organizationId, permissions: caller, ...location };
      const query = { ...AS_WRITTEN, mask_secrets };
      return (await readBack(revision, (at) => reader.readOne(key, query, call.links, at))).row;
    },
    presentItem: (parameter) => parameter,
  }),
);
