import { expect } from 'vitest'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { amountToText } from '../../../src/domain/numbers/amount.ts'
import type { Transport } from '../../../src/exchange/http/transport.ts'
import { type FuturesAccount, totalOf } from '../../../src/simulator/futures/positions/futures-account.ts'
import type { SimulatorConfigInput } from '../../../src/simulator/simulator-config.ts'
import { klinesOf } from '../../simulator/exchange-caller.ts'
import { type ContractInput, FuturesCaller, ROUND_CONTRACT } from '../../simulator/futures/futures-caller.ts'
import { BotSession, type BotSessionOptions, KEY, SECRET } from '../bot-session.ts'

/** What a futures bot is made of. */
export interface FuturesBotOptions extends Omit<BotSessionOptions, 'exchange'> {
  readonly klines: readonly Kline[]
  readonly contract?: Partial<ContractInput>
  /** USDT of the futures account; default 1000. */
  readonly money?: string
  /** Depth of the book; default: that of the exchange. */
  readonly liquidity?: SimulatorConfigInput['liquidity']
}

/** A whole bot that trades the contract E-BTC-USDT of 0.1 BTC, whose prices follow the klines; funding every hour. */
export function futuresBot({
  klines,
  contract,
  money = '1000',
  liquidity,
  ...options
}: FuturesBotOptions): BotSession {
  return new BotSession({
    account: { type: 'futures', leverage: 10 },
    ...options,
    exchange: {
      listings: [{ symbol: 'BTC/USDT', market: { type: 'klines', klines } }],
      accounts: [{ apiKey: KEY, apiSecret: SECRET, balances: {}, futuresBalances: { USDT: money } }],
      ...(liquidity !== undefined && { liquidity }),
      futures: { contracts: [{ ...ROUND_CONTRACT, fundingHours: 1, ...contract }] },
    },
  })
}

/** The futures account at the exchange. */
export function accountOf({ exchange }: BotSession): FuturesAccount {
  const [account] = exchange.futures.accounts
  if (account === undefined) throw new Error('The exchange has no futures account.')
  return account
}

/** All USDT of the futures account, as exact text. */
export function walletOf(session: BotSession): string {
  return amountToText(totalOf(accountOf(session).wallet('USDT')))
}

/** The same account, used by hand. */
export function byHand(session: BotSession): FuturesCaller {
  const person = new FuturesCaller(session.exchange, { apiKey: KEY, apiSecret: SECRET })
  person.now = session.clock.now()
  return person
}

/** A host by the letter of the interface document: open orders and details carry no clientOrderId. */
export function withoutClientIds(inner: Transport): Transport {
  return async request => {
    const response = await inner(request)
    const isBare = /^\/fapi\/v1\/(order|openOrders)$/.test(new URL(request.url).pathname)
    if (request.method !== 'GET' || !isBare) return response
    return { ...response, body: response.body.replaceAll(/,"client(Order)?Id":"[^"]*"/g, '') }
  }
}

/** Ledger and exchange hold the same, to the last digit. */
export async function expectAgreed(session: BotSession): Promise<void> {
  const wallet = walletOf(session)
  const held = accountOf(session)
    .positions()
    .map(({ direction, volume }) => (direction === 'long' ? volume : -volume))
  const summary = await session.leave(5000)
  expect(summary?.balances).toEqual({ USDT: wallet })
  expect(summary?.position).toEqual({ 'BTC/USDT': String(held.reduce((sum: number, one) => sum + one, 0)) })
  expect(session.failures).toEqual([])
}

/** A market at 100 that goes to another price after so many minutes. */
export function stepAt(minutes: number, price: number, after = 30): Kline[] {
  const before = Array.from({ length: minutes }, () => [100, 100, 100, 100] as const)
  return klinesOf(
    ...before,
    [100, 100, price, price],
    ...Array.from({ length: after }, () => [price, price, price, price] as const),
  )
}
