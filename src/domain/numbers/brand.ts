/** Nominal types without runtime cost: only a checking constructor creates a branded value. */
declare const brand: unique symbol

/** A `Base` that the type checker distinguishes from others by `Name`. */
export type Brand<Base, Name extends string> = Base & { readonly [brand]: Name }
