import type {
  CancelEntriesSignal,
  EnterSignal,
  ExitSignal,
  ProtectSignal,
  QuotesSignal,
  QuoteWish,
  Signal,
  TargetSignal,
} from '../domain/signal.ts'

/** Return value of a handler; `Role` are the roles that it may name. */
export type Signals<Role extends string = never> = Signal<Role> | readonly Signal<Role>[] | undefined

/** Fields of a signal besides its kind and instrument. */
type Options<Kind, Fixed extends string = never> = Omit<Kind, 'type' | 'market' | Fixed>

/** Fields with the role of another instrument. */
type For<Role, Given> = Given & { readonly market: Role }

// Each function has one signature for an instrument of a role and, last, one for the strategy's own, which
// `ReturnType` uses.

/** Opens a long position: at market, or by `order`. */
export function enterLong<const Role extends string>(
  options: For<Role, Options<EnterSignal, 'direction'>>,
): EnterSignal<Role>
export function enterLong(options?: Options<EnterSignal, 'direction'>): EnterSignal
export function enterLong(options: Options<EnterSignal, 'direction'> = {}): EnterSignal {
  return { type: 'enter', direction: 'long', ...options }
}

/** Opens a short position: at market, or by `order`. Needs an account that can be short. */
export function enterShort<const Role extends string>(
  options: For<Role, Options<EnterSignal, 'direction'>>,
): EnterSignal<Role>
export function enterShort(options?: Options<EnterSignal, 'direction'>): EnterSignal
export function enterShort(options: Options<EnterSignal, 'direction'> = {}): EnterSignal {
  return { type: 'enter', direction: 'short', ...options }
}

/** Closes the position (or `fraction` of it); a full exit also cancels resting entries. */
export function exit<const Role extends string>(options: For<Role, Options<ExitSignal>>): ExitSignal<Role>
export function exit(options?: Options<ExitSignal>): ExitSignal
export function exit(options: Options<ExitSignal> = {}): ExitSignal {
  return { type: 'exit', ...options }
}

/**
 * Changes the position to `size`: `{ base: 2 }` long two units, `{ equityFraction: -0.5 }` short half of
 * equity, `{ base: 0 }` flat.
 */
export function targetPosition<const Role extends string>(
  size: TargetSignal['size'],
  options: For<Role, Options<TargetSignal, 'size'>>,
): TargetSignal<Role>
export function targetPosition(
  size: TargetSignal['size'],
  options?: Options<TargetSignal, 'size'>,
): TargetSignal
export function targetPosition(
  size: TargetSignal['size'],
  options: Options<TargetSignal, 'size'> = {},
): TargetSignal {
  return { type: 'target', size, ...options }
}

/** Cancels resting entries; with `tag` only those with this tag. */
export function cancelEntries<const Role extends string>(
  options: For<Role, Options<CancelEntriesSignal>>,
): CancelEntriesSignal<Role>
export function cancelEntries(options?: Options<CancelEntriesSignal>): CancelEntriesSignal
export function cancelEntries(options: Options<CancelEntriesSignal> = {}): CancelEntriesSignal {
  return { type: 'cancelEntries', ...options }
}

/**
 * Changes stop-loss, take-profit or trailing stop of the position; with `tag` only for entries with this tag.
 */
export function protect<const Role extends string>(
  change: For<Role, Options<ProtectSignal>>,
): ProtectSignal<Role>
export function protect(change: Options<ProtectSignal>): ProtectSignal
export function protect(change: Options<ProtectSignal>): ProtectSignal {
  return { type: 'protect', ...change }
}

/**
 * Declares the complete ladder of resting quotes (optionally under `name`) at every call; an empty list
 * cancels them all. Orders that already rest as declared are unchanged, so a repeated declaration sends no
 * order.
 */
export function keepQuotes<const Role extends string>(
  quotes: readonly QuoteWish[],
  options: For<Role, Options<QuotesSignal, 'quotes'>>,
): QuotesSignal<Role>
export function keepQuotes(
  quotes: readonly QuoteWish[],
  options?: Options<QuotesSignal, 'quotes'>,
): QuotesSignal
export function keepQuotes(
  quotes: readonly QuoteWish[],
  options: Options<QuotesSignal, 'quotes'> = {},
): QuotesSignal {
  return { type: 'quotes', quotes, ...options }
}
