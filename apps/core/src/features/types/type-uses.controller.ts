import { PARAMETERS_OF_TYPE, ParameterOfTypeListQuery, TYPE_USAGE, VALIDATE_AS_TYPE } from '@strata/contract';
import { actionController } from '../../platform/http/action-controller.ts';
import { pathId } from '../../platform/http/links.ts';
import { parseListQuery, presentListPage } from '../../platform/http/page.ts';
import { sendJson, sendLongJson } from '../../platform/http/send-json.ts';
import { Validator } from '../validation/validator.ts';
import { TypeUsesReader } from './type-uses.reader.ts';
import { TypesReader } from './types.reader.ts';

/** Lists the parameters of a type, and checks whether texts are valid values of it. */
export const TypeUsesController = actionController(
  'type uses controller',
  { usage: TYPE_USAGE, parameters: PARAMETERS_OF_TYPE, validate: VALIDATE_AS_TYPE },
  { uses: TypeUsesReader, types: TypesReader, validator: Validator },
  ({ uses, types, validator }) => ({
    usage: async ({ call, caller }) => {
      const { revision, uses: results } = await uses.counts(caller);
      return sendLongJson(call, revision, { results });
    },
    parameters: async ({ call, caller, path }) => {
      const query = parseListQuery(ParameterOfTypeListQuery, call);
      const page = await uses.page(caller, pathId('ParameterType', path.id ?? ''), query);
      return sendLongJson(
        call,
        page.revision,
        presentListPage(call, query, page, (row) => row),
      );
    },
    validate: async ({ call, caller: { organizationId }, path, input: { text } }) => {
      const typeId = pathId('ParameterType', path.id ?? '');
      const { revision } = await types.readOne(organizationId, typeId, 'now');
      return sendJson(call, revision, await validator.checkUnsavedText({ organizationId, typeId, text }));
    },
  }),
);
