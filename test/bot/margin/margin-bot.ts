import { expect } from 'vitest'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { type Amount, add, amountOf, amountToText } from '../../../src/domain/numbers/amount.ts'
import type { SimulatorConfigInput } from '../../../src/simulator/simulator-config.ts'
import type { MarginTrader } from '../../../src/simulator/trader.ts'
import type { User } from '../../../src/simulator/user.ts'
import { ExchangeCaller } from '../../simulator/exchange-caller.ts'
import { BotSession, type BotSessionOptions, KEY, SECRET } from '../bot-session.ts'

/** What a margin bot is made of. */
interface MarginBotOptions extends Omit<BotSessionOptions, 'exchange'> {
  readonly klines: readonly Kline[]
  /** What is in the margin account, and what of it is declared; default: 1000 USDT, all of it. */
  readonly held?: Readonly<Record<string, string>>
  readonly declared?: Readonly<Record<string, string>>
  readonly foreignTrades?: 'halt' | 'adopt'
  readonly exchange?: SimulatorConfigInput
}

/** Amounts by asset. */
export function declaredOf(balances: Readonly<Record<string, string>>): ReadonlyMap<string, Amount> {
  return new Map(Object.entries(balances).map(([asset, text]) => [asset, amountOf(text)]))
}

/** A whole bot that trades BTC/USDT on a margin account, whose prices follow the klines. */
export function marginBot({
  klines,
  held = { USDT: '1000' },
  declared = held,
  foreignTrades = 'halt',
  exchange,
  ...options
}: MarginBotOptions): BotSession {
  return new BotSession({
    account: { type: 'margin', balances: declaredOf(declared), foreignTrades },
    ...options,
    exchange: {
      listings: [{ symbol: 'BTC/USDT', market: { type: 'klines', klines } }],
      accounts: [{ apiKey: KEY, apiSecret: SECRET, balances: {}, marginBalances: held }],
      ...exchange,
    },
  })
}

/** The margin account at the exchange. */
export function marginOf({ user }: { readonly user: User }): MarginTrader {
  return user.margin
}

/** Everything in it, free and locked, as exact text. */
export function moneyOf(session: { readonly user: User }): Readonly<Record<string, string>> {
  const { account } = marginOf(session)
  return Object.fromEntries(
    [...account.holdings].map(([asset, { free, locked }]) => [asset, amountToText(add(free, locked))]),
  )
}

/** The same account, used by hand. */
function byHand(session: BotSession): ExchangeCaller {
  const person = new ExchangeCaller(session.exchange, { apiKey: KEY, apiSecret: SECRET })
  person.now = session.clock.now()
  return person
}

/** Books and exchange hold the same, to the last digit, and nothing was borrowed. */
export async function expectAgreed(session: BotSession): Promise<void> {
  const summary = await session.leave(5000)
  expect(summary?.balances).toEqual(moneyOf(session))
  expect([...marginOf(session).credit.debts]).toEqual([])
  expect(session.failures).toEqual([])
}

/** A limit order that somebody else places on it. */
export function tradeByHand(session: BotSession, side: 'BUY' | 'SELL', volume: string, price: string): void {
  byHand(session).post('/sapi/v2/margin/order', { symbol: 'BTC/USDT', side, type: 'LIMIT', volume, price })
}
