import { VALIDATE_AS_PARAMETER } from '@strata/contract';
import { actionController } from '../../../platform/http/action-controller.ts';
import { sendJson } from '../../../platform/http/send-json.ts';
import { Validator } from '../../validation/validator.ts';
import { parameterKey } from '../parameter-path.ts';
import { ParameterRulesReader } from './parameter-rules.reader.ts';

/** Checks whether a text is a valid value of a parameter. */
export const ParameterValidationController = actionController(
  'parameter validation controller',
  { validate: VALIDATE_AS_PARAMETER },
  { rules: ParameterRulesReader, validator: Validator },
  ({ rules, validator }) => ({
    validate: async ({ call, path: { project_pk: project = '', id = '' }, input: { text } }) => {
      const key = parameterKey(call, { project, parameter: id });
      const { revision, parameter, rules: storedRules } = await rules.rulesAt(key, {});
      const unsavedRule = {
        organizationId: key.organizationId,
        typeId: parameter.type_id,
        parameter: {
          name: parameter.name,
          rules: storedRules.map(({ type: kind, constraint }) => ({ kind, constraint })),
        },
        text,
      };
      return sendJson(call, revision, await validator.checkUnsavedText(unsavedRule));
    },
  }),
);
