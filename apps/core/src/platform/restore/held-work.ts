/*
 * After the loss of changes, the configuration may be older than what receivers, providers and target systems already
 * know, so an operator or a member decides when work for them continues. $1 is the ids of the organizations; null means
 * all.
 */

const IS_SELECTED = '($1::uuid[] is null or organization_id = any($1))';
const HOLD = "held_because = 'restored', lease_token = null, lease_until = null";

export const HOLD_INTEGRATIONS = `
update integration set ${HOLD}
 where ${IS_SELECTED} and exists (select from exchange where exchange.organization_id = integration.organization_id
                                                   and exchange.integration_id = integration.id
                                                   and (exchange.direction = 'push' or exchange.mode = 'pattern'))`;

export const HOLD_ROTATIONS = `update rotation set ${HOLD} where ${IS_SELECTED}`;

export const SUSPEND_DESTINATIONS = `
update destination set state = 'suspended', state_reason = 'restored: confirm', lease_token = null, lease_until = null
 where ${IS_SELECTED}`;

export const HOLD_AFTER_LOSS = [HOLD_INTEGRATIONS, HOLD_ROTATIONS, SUSPEND_DESTINATIONS];
