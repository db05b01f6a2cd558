import { DIFFERENCES, DifferencesQuery, MATRIX, MatrixQuery } from '@strata/contract';
import { pathId } from '../../platform/http/links.ts';
import { operationController, type PathParameters } from '../../platform/http/operation-controller.ts';
import { parseListQuery, presentListPage } from '../../platform/http/page.ts';
import { ResponseCache } from '../../platform/http/response-cache.ts';
import { LIST_ITEM_DEPTH } from '../../platform/http/send-json.ts';
import { toQueryResult, toResultVersion } from '../snapshot/result-version.ts';
import { DifferencesReader } from './differences.reader.ts';
import { MatrixReader } from './matrix.reader.ts';

const projectId = ({ project_pk: project = '' }: PathParameters) => pathId('Project', project);

export const MatrixController = operationController(
  'MatrixController',
  [MATRIX, DIFFERENCES],
  { matrix: MatrixReader, differences: DifferencesReader, answers: ResponseCache },
  ({ matrix, differences, answers }) => ({
    [MATRIX.id]: (call, path) =>
      answers.send(
        call,
        async () => {
          const query = parseListQuery(MatrixQuery, call);
          const { snapshot, write } = await matrix.find(call.caller, projectId(path), query);
          return toQueryResult(snapshot, async (links) => {
            const { page: matrixPage, envelop } = await write();
            const listing = { url: call.url, reply: call.reply, links };
            const page = presentListPage(listing, query, matrixPage, (row) => row, MATRIX.sortedBy);
            return { body: envelop(page), hasClearSecret: () => false };
          });
        },
        LIST_ITEM_DEPTH,
      ),
    [DIFFERENCES.id]: (call, path) =>
      answers.send(
        call,
        async () => {
          const query = parseListQuery(DifferencesQuery, call);
          const { snapshots, write } = await differences.find(call.caller, projectId(path), query);
          const [left, right] = snapshots;
          const revision = Math.max(left.head.revision, right.head.revision);
          return {
            revision,
            currentVersion: left === right ? toResultVersion(left).currentVersion : null,
            write: async (links) => {
              const { page: differencesPage, envelop } = await write();
              const listing = { url: call.url, reply: call.reply, links };
              const page = presentListPage(listing, query, differencesPage, (row) => row, DIFFERENCES.sortedBy);
              return { body: envelop(page), hasClearSecret: () => false };
            },
          };
        },
        LIST_ITEM_DEPTH,
      ),
  }),
);
