import { TYPE_RULES } from '@strata/contract';
import { pathId } from '../../platform/http/links.ts';
import { PointsInTime } from '../../platform/http/points-in-time.ts';
import { resourceController } from '../../platform/http/resource-controller.ts';
import { pageOfRules } from './rule-page.ts';
import { TypeRulesService } from './type-rules.service.ts';
import { presentTypeRule } from './types.presenter.ts';
import { TypesReader } from './types.reader.ts';

const readTypeId = ({ parametertype_pk: type = '' }) => pathId('ParameterType', type);

export const TypeRulesController = resourceController(
  TYPE_RULES,
  { reader: TypesReader, rules: TypeRulesService, pointsInTime: PointsInTime },
  ({ reader, rules, pointsInTime }) => ({
    readParent: (path) => readTypeId(path),
    readKey: (path) => ({ typeId: readTypeId(path), id: pathId('ParameterTypeRule', path.id ?? '') }),
    sortedBy: ['rule.type', 'rule.id'],
    list: async ({ caller, parent: typeId, query }) => {
      const { row, revision } = await reader.readOne(
        caller.organizationId,
        typeId,
        await pointsInTime.of(caller, query),
      );
      const page = pageOfRules(row.rules, revision, query);
      return { ...page, rows: page.rows.map((rule) => ({ typeId, rule })) };
    },
    retrieve: async ({ caller, key, query, at, reader: snapshotReader }) =>
      reader.rule(caller.organizationId, key, at ?? (await pointsInTime.of(caller, query)), snapshotReader),
    create: ({ caller, parent, input }) => rules.create(caller, parent, input),
    change: ({ caller, key, input, precondition }) => rules.change(caller, key, input, precondition),
    remove: ({ caller, key, precondition }) => rules.remove(caller, key, precondition),
    presentItem: (row, { links }) => presentTypeRule(row, links),
  }),
);
