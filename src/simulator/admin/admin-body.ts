import { z } from 'zod'
import { decimalOf } from '../../domain/numbers/decimal.ts'
import { exactly, settings, whole } from '../settings.ts'

const text = (expected: string) => z.string({ error: expected }).min(1, { error: expected })
const decimal = (expected: string) => exactly(expected, written => decimalOf(written).toFixed())

/** Body of POST /sim/deposit. */
export const depositBody = settings({
  /** By default the first account. */
  uid: whole(1).optional(),
  asset: text('an asset such as USDT'),
  amount: decimal('an amount with at most 18 decimals'),
  wallet: z.enum(['spot', 'margin', 'futures'], { error: 'spot, margin or futures' }).default('spot'),
})

/** Body of POST /sim/price. */
export const priceBody = settings({
  symbol: text('a symbol such as BTC/USDT'),
  price: decimal('a price on the grid of the symbol'),
})

/** A week of a quiet market takes seconds. */
const MOST_ADVANCE_MS = 7 * 24 * 3_600_000

/** Body of POST /sim/time. */
export const timeBody = settings({
  /** ms to move on by. */
  advanceMs: whole(0, MOST_ADVANCE_MS),
})
