import { InvalidArgumentError } from 'commander';

/** Returns the parser of an option that is a whole number from 1 to a maximum. */
export const wholeNumber =
  (max: number) =>
  (text: string): number => {
    const number = /^[1-9]\d{0,6}$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
    if (number > max) throw new InvalidArgumentError(`It must be a whole number from 1 to ${max}.`);
    return number;
  };
