import { Injectable } from '@nestjs/common';
import { checkText, type ValueType, type Violation } from '@strata/domain';
import { EventLoopYielder } from '../../platform/event-loop-yielder.ts';
import { PatternEngine, type TimeBudget } from '../../platform/patterns/pattern-engine.ts';

/** A text, and the type that it must match. */
export interface TypedText {
  readonly type: ValueType;
  readonly text: string;
}

/** Validates texts against types with all of their rules, independent of where the texts are stored. */
@Injectable()
export class TextValidation {
  constructor(private readonly patterns: PatternEngine) {}

  /** Returns all violations of each text, in the order of the rules. */
  async violations(texts: readonly TypedText[], budget?: TimeBudget): Promise<readonly (readonly Violation[])[]> {
    const tasks = createTasks(texts);
    const matches = tasks.length === 0 ? () => null : await this.patterns.matcher(tasks, budget);
    const violations: (readonly Violation[])[] = [];
    const yielder = new EventLoopYielder();
    for (const { type, text } of texts) {
      violations.push(checkText(type, text, matches));
      if (yielder.isDue) await yielder.yield();
    }
    return violations;
  }
}

function createTasks(all: readonly TypedText[]) {
  const byPattern = new Map<string, string[]>();
  for (const { type, text } of all) {
    for (const { kind, constraint } of type.rules) {
      if (kind !== 'regex') continue;
      const texts = byPattern.get(constraint);
      if (texts) texts.push(text);
      else byPattern.set(constraint, [text]);
    }
  }
  return [...byPattern].map(([pattern, texts]) => ({ pattern, texts }));
}
