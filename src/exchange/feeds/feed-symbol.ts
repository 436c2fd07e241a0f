import type { z } from 'zod'
import { refuseParameter } from '../errors/refused-parameter.ts'
import { symbolParameter, textParameter } from '../wire/wire-field.ts'

/** A pair, as `BASE/QUOTE` or by its two currencies. */
export type FeedSymbol =
  | { readonly symbol: string; readonly base?: undefined; readonly quote?: undefined }
  | { readonly base: string; readonly quote: string; readonly symbol?: undefined }

/** The three parameters that name a pair. */
export const feedSymbolParameters = {
  base: textParameter.optional(),
  quote: textParameter.optional(),
  symbol: symbolParameter.optional(),
}

/** Refuses a request that names no pair (interface section 4.8). */
export function requireFeedSymbol({
  value: { base, quote, symbol },
  issues,
}: z.core.ParsePayload<{ base?: unknown; quote?: unknown; symbol?: unknown }>): void {
  if (symbol !== undefined || (base !== undefined && quote !== undefined)) return
  refuseParameter(issues, 'symbol', 'is required unless base and quote are both given')
}
