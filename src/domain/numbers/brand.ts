/** Nominal types without runtime cost: a branded value can only come from the constructor that checks it. */
declare const brand: unique symbol

/** `Base` that the type checker tells apart from every other `Base` by `Name`. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name }
