// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are texts of sources
// Bugs worth planting: each breaks one promise, and names the specs that must then fail. `find` stands exactly once in `file`.

/** @type {readonly { promise: string, file: string, find: string, replace: string, specs: readonly string[] }[]} */
export const MUTANTS = [
  {
    promise: 'a refused write leaves those alone that share its transaction',
    file: 'apps/core/src/platform/ledger/write-transaction.ts',
    find: 'if (this.isDone) return void (await this.transaction.send(...UNDO));',
    replace: '',
    specs: ['platform/ledger/unit-of-work'],
  },
  {
    promise: 'what would fail at the commit is refused alone',
    file: 'apps/core/src/platform/ledger/write-transaction.ts',
    find: 'await this.transaction.send(recorded, ...CHECK, KEEP);',
    replace: 'await this.transaction.send(recorded, KEEP);',
    specs: ['platform/ledger/unit-of-work'],
  },
  {
    promise: 'nobody changes what lies in a closed scope, whatever a feature forgot to ask',
    file: 'apps/core/src/platform/ledger/write-rules.ts',
    find: "if (objectType === 'Grant') return;",
    replace: 'return;',
    specs: ['features/access', 'platform/auth/authorization'],
  },
  {
    promise: 'an answer that is kept is nobody else’s',
    file: 'apps/core/src/features/snapshot/present-answers.ts',
    find: '${caller.organizationId} ${closedScopes(caller).join()} ${url}',
    replace: '${caller.organizationId} ${url}',
    specs: ['snapshot/kept-answers', 'access/leaks'],
  },
  {
    promise: 'an answer about effective values is nobody else’s',
    file: 'apps/core/src/features/effective/effective.ts',
    find: '${caller.organizationId} ${closedScopes(caller).join()} ${url}',
    replace: '${caller.organizationId} ${url}',
    specs: ['snapshot/kept-answers', 'access/controlled-environments', 'access/leaks'],
  },
  {
    promise: 'an answer from memory is not older than the last write',
    file: 'apps/core/src/platform/ledger/heads.ts',
    find: 'return a.revision === b.revision && a.epoch === b.epoch;',
    replace: 'return a.epoch === b.epoch;',
    specs: ['snapshot/kept-answers', 'snapshot/ledger-cache'],
  },
  {
    promise: 'a key is compared with its secret',
    file: 'apps/core/src/platform/auth/credentials.ts',
    find: 'if (!timingSafeEqual(row?.secret_hmac ?? Buffer.alloc(hmac.length), hmac) || !row) return null;',
    replace: 'if (!row) return null;',
    specs: ['platform/auth', 'identity'],
  },
  {
    promise: 'a listener hears nothing of a scope that is closed to it',
    file: 'libs/domain/src/receiving.ts',
    find: "every((scope) => scope === null || canOnScope(listener, 'read', scope.id))",
    replace: 'every(() => true)',
    specs: ['features/access/receiving', 'features/feed'],
  },
  {
    promise: 'a listener hears nothing of another organization',
    file: 'libs/domain/src/receiving.ts',
    find: "if (listener.organizationId !== organizationId || !can(listener.role, 'read')) return false;",
    replace: "if (!can(listener.role, 'read')) return false;",
    specs: ['libs/domain/src/receiving', 'features/feed'],
  },
  {
    promise: 'a stale copy does not overwrite a newer one',
    file: 'apps/core/src/platform/http/conditional.ts',
    find: 'if (ifMatch === undefined || matches(ifMatch, etag)) return;',
    replace: 'return;',
    specs: ['features/environments', 'features/projects'],
  },
  {
    promise: 'the environment decides before the project which value applies',
    file: 'libs/domain/src/precedence.ts',
    find: 'for (const ofOwner of values) {\n    const value = ofOwner.get(environmentId);',
    replace: 'for (const ofOwner of [...values].reverse()) {\n    const value = ofOwner.get(environmentId);',
    specs: ['libs/domain/src/resolution', 'e2e/src/resolution'],
  },
  {
    promise: 'a secret that was sealed in one row opens in no other',
    file: 'apps/core/src/platform/vault/vault.ts',
    find: '`strata|v1|${organizationId}|${column}|${rowId}`',
    replace: '`strata|v1|${organizationId}|${column}`',
    specs: ['platform/vault'],
  },
  {
    promise: 'two requests with one Idempotency-Key are one new organization',
    file: 'apps/core/src/platform/ledger/idempotency-keys.ts',
    find: 'from organization_head where organization_id = $1 for update',
    replace: 'from organization_head where organization_id = $1',
    specs: ['platform/ledger/idempotency-keys'],
  },
  {
    promise: 'a secret that was put into the text of another value is as secret there',
    file: 'apps/core/src/features/effective/effective-bodies.ts',
    find: '(owner?.secret ?? false) || (seen?.secret ?? false)',
    replace: 'owner?.secret ?? false',
    specs: ['features/effective', 'parameters/values', 'features/templates', 'features/templating'],
  },
];
