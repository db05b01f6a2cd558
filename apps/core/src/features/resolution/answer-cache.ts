import type { Revision } from '@strata/domain';

/** Bounds memory: least recently asked answers leave first. */
const BYTES_MAX = 32 * 1_048_576;
const OVERHEAD_BYTES = 256;

export interface CachedAnswer {
  readonly revision: Revision;
  readonly etag: string;
  /** Null when the body holds secrets: those are kept nowhere, only their entity tag is. */
  readonly text: string | null;
}

/** Answers of the present by question. One is only as good as its revision, which the asker compares with the head. */
export class AnswerCache {
  private readonly answers = new Map<string, CachedAnswer>();
  private bytes = 0;

  get(question: string, revision: Revision): CachedAnswer | null {
    const found = this.answers.get(question);
    if (!found) return null;
    this.delete(question);
    if (found.revision !== revision) return null;
    this.put(question, found);
    return found;
  }

  put(question: string, answer: CachedAnswer): void {
    this.delete(question);
    const size = sizeOf(question, answer);
    if (size > BYTES_MAX / 8) return;
    this.answers.set(question, answer);
    this.bytes += size;
    for (const oldest of this.answers.keys()) {
      if (this.bytes <= BYTES_MAX) break;
      this.delete(oldest);
    }
  }

  private delete(question: string): void {
    const known = this.answers.get(question);
    if (!known) return;
    this.bytes -= sizeOf(question, known);
    this.answers.delete(question);
  }
}

function sizeOf(question: string, { text }: CachedAnswer): number {
  return OVERHEAD_BYTES + question.length + (text?.length ?? 0) * 2;
}
