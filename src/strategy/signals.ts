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

/** What a handler may return; `Role` are the roles that it may name. */
export type Signals<Role extends string = never> = Signal<Role> | readonly Signal<Role>[] | undefined

/** What a signal says beside its kind. */
type Options<Kind, Fixed extends string = never> = Omit<Kind, 'type' | 'market' | Fixed>

/** The same about the instrument of a role. */
type For<Role, Given> = Given & { readonly market: Role }

// Each has one signature for an instrument of a role and, last, one for the strategy's own, which `ReturnType` then means.

/** Opens a long position: at market, or as `order` says. */
export function enterLong<const Role extends string>(
  options: For<Role, Options<EnterSignal, 'direction'>>,
): EnterSignal<Role>
export function enterLong(options?: Options<EnterSignal, 'direction'>): EnterSignal
export function enterLong(options: Options<EnterSignal, 'direction'> = {}): EnterSignal {
  return { type: 'enter', direction: 'long', ...options }
}

/** Opens a short position: at market, or as `order` says. Needs an account that can be short. */
export function enterShort<const Role extends string>(
  options: For<Role, Options<EnterSignal, 'direction'>>,
): EnterSignal<Role>
export function enterShort(options?: Options<EnterSignal, 'direction'>): EnterSignal
export function enterShort(options: Options<EnterSignal, 'direction'> = {}): EnterSignal {
  return { type: 'enter', direction: 'short', ...options }
}

/** Closes the position (or `fraction` of it); a full exit also cancels entries that rest. */
export function exit<const Role extends string>(options: For<Role, Options<ExitSignal>>): ExitSignal<Role>
export function exit(options?: Options<ExitSignal>): ExitSignal
export function exit(options: Options<ExitSignal> = {}): ExitSignal {
  return { type: 'exit', ...options }
}

/** Brings the position to `size`: `{ base: 2 }` long two units, `{ equityFraction: -0.5 }` short half of equity, `{ base: 0 }` flat. */
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

/** Cancels entries that rest; those with `tag` only, where one is given. */
export function cancelEntries<const Role extends string>(
  options: For<Role, Options<CancelEntriesSignal>>,
): CancelEntriesSignal<Role>
export function cancelEntries(options?: Options<CancelEntriesSignal>): CancelEntriesSignal
export function cancelEntries(options: Options<CancelEntriesSignal> = {}): CancelEntriesSignal {
  return { type: 'cancelEntries', ...options }
}

/** Changes stop-loss, take-profit or trailing stop of what is open; of what entries with `tag` opened only, where one is given. */
export function protect<const Role extends string>(
  change: For<Role, Options<ProtectSignal>>,
): ProtectSignal<Role>
export function protect(change: Options<ProtectSignal>): ProtectSignal
export function protect(change: Options<ProtectSignal>): ProtectSignal {
  return { type: 'protect', ...change }
}

/**
 * Declares all quotes that are to rest (under `name`, where one is given), at every call anew; an empty list takes them all
 * back. What rests already as declared is left alone, so that the same declaration costs no order.
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
