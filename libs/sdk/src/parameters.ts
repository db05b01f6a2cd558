/** The parameters of a program without generated types: any name can be read as any type. */
export type AnyParameters = Readonly<Record<string, never>>;

type Scalar = string | number | boolean;

/** The names of parameters that have a value in every environment. */
export type RequiredName<Parameters, Value = Scalar> = {
  [Name in keyof Parameters & string]-?: Parameters[Name] extends Value ? Name : never;
}[keyof Parameters & string];

/** The names of parameters, also of those that can lack a value. */
export type AnyName<Parameters, Value = Scalar> = RequiredName<Parameters, Value | undefined>;

/** The texts of a parameter: the literals of its type if there are some. */
export type TextOf<Value> = [Value] extends [never] ? string : Value extends string ? Value : string;
