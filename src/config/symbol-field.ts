import { z } from 'zod'
import { accountIn, listedName } from '../domain/account-symbol.ts'
import type { Amount } from '../domain/numbers/amount.ts'
import { amount } from './fields.ts'

const SYMBOL = 'a symbol such as BTC/USDT, in capitals'
const MARKET = 'a symbol such as BTC/USDT, or a contract such as E-BTC-USDT, in capitals'
const ASSET = 'an asset in capitals, such as USDT'
const BALANCES = 'a section of amounts by asset, such as USDT: 10000'

/** `BASE/QUOTE`, upper case. */
export const symbolField = z.string({ error: SYMBOL }).regex(/^[A-Z0-9]+\/[A-Z0-9]+$/, { error: SYMBOL })

/** `BASE/QUOTE`, or a contract such as `E-BTC-USDT`; upper case. */
export const marketField = z
  .string({ error: MARKET })
  .regex(/^([A-Z0-9]+\/[A-Z0-9]+|[A-Z0-9]+-[A-Z0-9]+-[A-Z0-9]+)$/, { error: MARKET })

/** As `marketField`, or a pair with its account behind it: `BTC/USDT@margin`. */
export const tradedField = z
  .string({ error: MARKET })
  .refine(
    symbol =>
      marketField.safeParse(listedName(symbol)).success &&
      (accountIn(symbol) === undefined || symbol.includes('/')),
    { error: MARKET },
  )

/** Balances of an account: exact amounts by asset. */
export const balancesField = z
  .record(z.string().regex(/^[A-Z0-9]+$/, { error: ASSET }), amount(), { error: BALANCES })
  .transform((balances): ReadonlyMap<string, Amount> => new Map(Object.entries(balances)))
