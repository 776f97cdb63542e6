// Enums of the wire. A word is a text; a variant that carries something is an object with one key, its name. What is
// written with these two functions does not compile any more once the station knows one more.

type Name<Variant> = Variant extends unknown ? keyof Variant & string : never;

type Carried<Variant, Key extends string> = Variant extends Record<Key, infer Value> ? Value : never;

/** One function for each variant. */
export type Arms<Variant, Result> = { readonly [Key in Name<Variant>]: (carried: Carried<Variant, Key>) => Result };

/** The result of the arm that is named as the variant. */
export function match<Variant extends object, Result>(variant: Variant, arms: Arms<Variant, Result>): Result {
  const [[name, carried] = ["", undefined]] = Object.entries(variant);
  const arm = (arms as unknown as Readonly<Record<string, (carried: unknown) => Result>>)[name];
  if (arm === undefined) throw new Error(`the station's variant ${name} is not known to this window`);
  return arm(carried);
}

/** Every word of an enum, in the order in which a screen offers them. */
export function everyWord<Word extends string>(words: Readonly<Record<Word, true>>): readonly Word[] {
  return Object.keys(words) as Word[];
}
