import { z } from 'zod'
import { section } from './section.ts'
import { sizeField } from './size-field.ts'

const MARKETS = 'a section of instruments by the roles of the strategy, such as hedge: ETH/USDT'

/** The instruments of a strategy's roles: a symbol, or a symbol with a size of its own. */
export function marketsField(symbol: z.ZodType<string>) {
  return z
    .record(
      z.string(),
      z.union([symbol, section({ symbol, size: sizeField.optional() })], {
        error: 'a symbol such as ETH/USDT, or a section with the keys symbol and size',
      }),
      { error: MARKETS },
    )
    .transform(markets =>
      Object.fromEntries(
        Object.entries(markets).map(([role, given]) => [
          role,
          typeof given === 'string' ? { symbol: given } : given,
        ]),
      ),
    )
    .describe('The symbols of its roles, such as { hedge: ETH/USDT }.')
}
