import { CONFIRM_CREDENTIAL, type CredentialConfirmation, FORWARD_READS } from '@strata/contract';
import { canReadConfiguration, Failure, permissionsKey } from '@strata/domain';
import { actionController } from '../../platform/http/action-controller.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import { Vault } from '../../platform/vault/vault.ts';
import { ForwardedReadRecorder } from './forwarded-reads.ts';
import { ReadReceipts } from './read-receipts.ts';

export const EdgesController = actionController(
  'EdgesController',
  { confirm: CONFIRM_CREDENTIAL, forward: FORWARD_READS },
  { receipts: ReadReceipts, recorder: ForwardedReadRecorder, vault: Vault },
  ({ receipts, recorder, vault }) => ({
    confirm: async ({ call, caller, query: { project: projectId, environment: environmentId } }) => {
      if (!canReadConfiguration(caller, { projectId, environmentId, reveal: false })) throw Failure.forbidden();
      const { organizationId, authorization } = caller;
      const credentialExpiresAt = authorization?.credential.expiresAt ?? Number.POSITIVE_INFINITY;
      // When a temporary grant ends, the edge needs a new confirmation, and serves nothing without it.
      const expiresAt = Math.min(credentialExpiresAt, caller.validUntil ?? Number.POSITIVE_INFINITY);
      const account = { accountId: caller.id, accountName: caller.name, accountType: caller.type };
      const receipt = { ...account, projectId, environmentId, issuedAt: Date.now() };
      return sendJson(call, caller.revision, {
        account_id: caller.id,
        organization_id: organizationId,
        expires_at: Number.isFinite(expiresAt) ? new Date(expiresAt).toISOString() : null,
        permissions: await vault.mac(organizationId, 'permissions', permissionsKey(caller)),
        receipt: await receipts.issue(organizationId, receipt),
      } satisfies CredentialConfirmation);
    },
    forward: async ({ call, caller, input }) => sendJson(call, caller.revision, await recorder.record(caller, input)),
  }),
);
