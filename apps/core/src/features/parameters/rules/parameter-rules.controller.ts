import { PARAMETER_RULES } from '@strata/contract';
import { pathId } from '../../../platform/http/links.ts';
import { resourceController } from '../../../platform/http/resource-controller.ts';
import { pageOfRules } from '../../types/rule-page.ts';
import { parameterKey } from '../parameter-path.ts';
import { presentRule } from '../parameters.presenter.ts';
import { ParameterRulesReader } from './parameter-rules.reader.ts';
import { ParameterRulesService } from './parameter-rules.service.ts';

export const ParameterRulesController = resourceController(
  PARAMETER_RULES,
  { reader: ParameterRulesReader, rules: ParameterRulesService },
  ({ reader, rules }) => ({
    readParent: (path, call) => parameterKey(call, pathNames(path)),
    readKey: (path, call) => ({
      parameter: parameterKey(call, pathNames(path)),
      id: pathId('ParameterRule', path.id ?? ''),
    }),
    sortedBy: ['rule.type', 'rule.id'],
    list: async ({ parent, query }) => {
      const { parameter, rules: parameterRules, revision } = await reader.rulesAt(parent, query);
      const page = pageOfRules(parameterRules, revision, query);
      return { ...page, rows: page.rows.map((rule) => ({ parameter, rule })) };
    },
    retrieve: ({ key: { parameter, id }, query, at, reader: snapshotReader }) =>
      at === undefined ? reader.oneAt(parameter, id, query) : reader.readOne(parameter, id, at, snapshotReader),
    create: ({ caller, parent, input }) => rules.create(caller, parent, input),
    change: ({ caller, key: { parameter, id }, input, precondition }) =>
      rules.change(caller, parameter, id, input, precondition),
    remove: ({ caller, key: { parameter, id }, precondition }) => rules.remove(caller, parameter, id, precondition),
    presentItem: (row, { links }) => presentRule(row, links),
  }),
);

const pathNames = ({ project_pk: project = '', parameter_pk: parameter = '' }) => ({ project, parameter });
