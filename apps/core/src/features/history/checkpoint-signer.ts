import { Inject, Injectable } from '@nestjs/common';
import { Failure } from '@strata/domain';
import { type Checkpoint, CheckpointKey } from '@strata/evidence';
import type { Env } from '../../platform/env.ts';
import { ENV } from '../../platform/tokens.ts';

/** Signs checkpoints with the key of the installation, which neither is in the database nor derives from the root key. */
@Injectable()
export class CheckpointSigner {
  private readonly key: CheckpointKey | null;

  constructor(@Inject(ENV) { STRATA_CHECKPOINT_KEY: seed }: Env) {
    this.key = seed === undefined ? null : new CheckpointKey(Buffer.from(seed, 'base64'));
  }

  get isEnabled(): boolean {
    return this.key !== null;
  }

  /** Throws if the installation has no key. */
  assertEnabled(): void {
    if (this.key === null) throw checkpointsOffError();
  }

  /** Returns the signed note and the public key that verifies it. */
  sign(checkpoint: Checkpoint): { readonly key: string; readonly note: string } {
    if (this.key === null) throw checkpointsOffError();
    return { key: this.key.verifierKey(checkpoint.origin), note: this.key.sign(checkpoint) };
  }
}

function checkpointsOffError(): Failure {
  return new Failure({
    kind: 'not_found',
    code: 'checkpoints_off',
    message: 'This installation signs no checkpoints. Ask your operator to set STRATA_CHECKPOINT_KEY.',
  });
}
