import { Injectable } from '@nestjs/common';
import { checkText, type ValueType, type Violation } from '@strata/domain';
import { Patience, PatternEngine } from '../../platform/pattern-engine.ts';
import { Slice } from '../../platform/slice.ts';

/** A text, and what it is measured by. */
export interface Candidate {
  readonly type: ValueType;
  readonly text: string;
}

/** Judges texts against types with all their rules. Knows of texts and types alone, not of where they are kept. */
@Injectable()
export class TextCheck {
  constructor(private readonly patterns: PatternEngine) {}

  /** For each candidate everything that is wrong with it, in the order of its rules. */
  async violations(
    candidates: readonly Candidate[],
    patience = new Patience(),
  ): Promise<readonly (readonly Violation[])[]> {
    const matches = await this.patterns.matcher(tasksOf(candidates), patience);
    const found: (readonly Violation[])[] = [];
    const slice = new Slice();
    for (const { type, text } of candidates) {
      found.push(checkText(type, text, matches));
      if (slice.isOver) await slice.next();
    }
    return found;
  }
}

function tasksOf(candidates: readonly Candidate[]) {
  const texts = new Map<string, string[]>();
  for (const { type, text } of candidates) {
    for (const { kind, constraint } of type.rules) {
      if (kind !== 'regex') continue;
      const known = texts.get(constraint);
      if (known) known.push(text);
      else texts.set(constraint, [text]);
    }
  }
  return [...texts].map(([pattern, of]) => ({ pattern, texts: of }));
}
