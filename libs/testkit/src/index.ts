export { buildMissingApps } from './built-apps.ts';
export { countCases, pickSample, runsAllCases } from './cases.ts';
export { contract, type Headers, RawClient, type Reply, requestHeaders } from './client.ts';
export { contractInputs, type Field, type Inputs } from './contract-inputs.ts';
export { createInvalidSamples, createInvalidTexts, createSample, type Size } from './contract-samples.ts';
export {
  createEmptyDatabase,
  createReplicatedDatabase,
  createTestDatabase,
  type ReplicatedDatabase,
  type TestDatabase,
  testCredentials,
} from './database.ts';
export { type ChatFault, type ChatMessageRecord, type FakeChat, startFakeChat } from './fake-chat.ts';
export { createGrowingPause } from './growing-pause.ts';

/** Loaded on demand, because together they take some megabytes. */
export const hostileBodies = async () => (await import('./hostile-bodies.ts')).HOSTILE_BODIES;
export const hostileImports = async () => (await import('./hostile-bodies.ts')).HOSTILE_IMPORTS;
export const hostilePatterns = async () => (await import('./hostile-patterns.ts')).HOSTILE_PATTERNS;
export const hostileTexts = async () => (await import('./hostile-texts.ts')).HOSTILE_TEXTS;
export const selfSignedCertificate = async () => (await import('./self-signed-certificate.ts')).selfSignedCertificate();
/** Creates an IAM user in an account of its own. */
export const createIamUser = async (aws: TestAws) => (await import('./test-iam-user.ts')).TestIamUser.create(aws);
/** Random configurations and edits for property tests. */
export const modelPlans = async (size: PlanSize) => (await import('./model/model-plans.ts')).modelPlans(size);

import type { PlanSize } from './model/model-plans.ts';
import type { TestAws } from './test-aws.ts';

export { ledgerProblems } from './ledger-check.ts';
export { LocalIssuer, signTokenWithRsa } from './local-issuer.ts';
export { LocalServers } from './local-servers.ts';
export { Metrics, metricsPort } from './metrics.ts';
export * from './model/configuration-model.ts';
export { buildModelPlan, SECRET_MARK } from './model/model-edits.ts';
export { ModelInService } from './model/model-in-service.ts';
export { applyToModel, MODEL_NAMES, type ModelStep } from './model/model-steps.ts';
export { lastChangeInModel, type ModelCell, type ModelPointInTime } from './model/since-model.ts';
export { organization, type TestOrganization } from './organization.ts';
export { type OtlpReceiver, type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts';
export {
  type OwnCore,
  type OwnGateway,
  type RunningCore,
  type RunningGateway,
  sharedCore,
  sharedGateway,
  startCore,
  startGateway,
} from './running-core.ts';
export { AWS_CREDENTIALS, newAwsAccount, startTestAws, type TestAws } from './test-aws.ts';
export { AZURE_APPLICATION, startTestAzure, type TestAzure, type TestVault } from './test-azure.ts';
export type { CloudCall, CloudFault, TestCloud } from './test-cloud.ts';
export { startTestGitHub, type TestGitHub, type TestGitHubInstallation } from './test-github.ts';
export { startTestGoogle, type TestGoogle, type TestGoogleProject } from './test-google.ts';
export type { TestIamUser } from './test-iam-user.ts';
export {
  type ProviderClient,
  type ProviderPerson,
  startIdentityProvider,
  type TestIdentityProvider,
} from './test-identity-provider.ts';
export { startInstallation, type TestInstallation } from './test-installation.ts';
