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

/** What a handler may return. */
export type Signals = Signal | readonly Signal[] | undefined

/** Opens a long position: at market, or as `order` says. */
export function enterLong(options: Omit<EnterSignal, 'type' | 'direction'> = {}): EnterSignal {
  return { type: 'enter', direction: 'long', ...options }
}

/** Opens a short position: at market, or as `order` says. Needs an account that can be short. */
export function enterShort(options: Omit<EnterSignal, 'type' | 'direction'> = {}): EnterSignal {
  return { type: 'enter', direction: 'short', ...options }
}

/** Closes the position (or `fraction` of it); a full exit also cancels entries that rest. */
export function exit(options: Omit<ExitSignal, 'type'> = {}): ExitSignal {
  return { type: 'exit', ...options }
}

/** Brings the position to `size`: `{ base: 2 }` long two units, `{ equityFraction: -0.5 }` short half of equity, `{ base: 0 }` flat. */
export function targetPosition(
  size: TargetSignal['size'],
  options: Omit<TargetSignal, 'type' | 'size'> = {},
): TargetSignal {
  return { type: 'target', size, ...options }
}

/** Cancels entries that rest; those with `tag` only, where one is given. */
export function cancelEntries(options: Omit<CancelEntriesSignal, 'type'> = {}): CancelEntriesSignal {
  return { type: 'cancelEntries', ...options }
}

/** Changes stop-loss, take-profit or trailing stop of what is open; of what entries with `tag` opened only, where one is given. */
export function protect(change: Omit<ProtectSignal, 'type'>): ProtectSignal {
  return { type: 'protect', ...change }
}

/**
 * Declares all quotes that are to rest (under `name`, where one is given), at every call anew; an empty list takes them all
 * back. What rests already as declared is left alone, so that the same declaration costs no order.
 */
export function keepQuotes(
  quotes: readonly QuoteWish[],
  options: Omit<QuotesSignal, 'type' | 'quotes'> = {},
): QuotesSignal {
  return { type: 'quotes', quotes, ...options }
}
