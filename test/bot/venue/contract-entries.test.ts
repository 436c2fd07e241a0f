import { describe, expect, it } from 'vitest'
import { loadProfile } from '../../../src/config/profiles/load-profile.ts'
import { rateOf, ZERO } from '../../../src/domain/numbers/amount.ts'
import type { DialectName } from '../../../src/simulator/dialects/dialects.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { defineStrategy, enterLong, exit } from '../../../src/strategy/index.ts'
import { LiveBot } from '../../live-bot.ts'
import { LogLines } from '../../parity/log-lines.ts'
import { dialectConfig } from '../../simulator/dialects/dialect-host.ts'
import { MINUTE, START } from '../../simulator/exchange-caller.ts'

const START_AT = START + 20 * MINUTE
const RULES = {
  default: { makerFeeRate: rateOf('0.001'), takerFeeRate: rateOf('0.001'), minNotional: ZERO },
}

/** Enters at market once, holds for a kline, and leaves. */
const onceAround = defineStrategy({
  name: 'once-around',
  state: () => ({ klines: 0 }),
  onKline: (_kline, { state }) => {
    state.klines++
    if (state.klines === 1) return enterLong()
    return state.klines === 3 ? exit() : undefined
  },
})

interface SentOrder {
  readonly timeInForce?: string
}

/** Orders of a bot on the contract of a host whose book holds four contracts a side, and what both sides count after its entry. */
async function entered(dialect: DialectName) {
  const sent: SentOrder[] = []
  const lines = new LogLines()
  const live = new LiveBot({
    ...{ bot: 'entries', startAt: START_AT, lines, risk: {}, instruments: RULES },
    account: { type: 'futures', leverage: 5 },
    profile: loadProfile(dialect),
    // 45 USDT at 100.01 are four contracts of 0.1 BTC, and a part.
    exchange: createSimulatedExchange(dialectConfig(dialect, { liquidity: { levelNotionals: ['45'] } })),
    strategies: [
      {
        ...{ file: '', strategy: onceAround, symbol: 'E-BTC-USDT', interval: '1m', parameters: {} },
        size: { quote: 100 },
      },
    ],
    onRequest: ({ method, url, body }) => {
      if (method === 'POST' && /\/fapi\/v\d\/order$/.test(url)) sent.push(JSON.parse(String(body)))
    },
  })
  await live.start()
  await live.runTo(START_AT + 90_000)
  const [balance] = await live.client.futures.account()
  const positions = balance?.contracts.flatMap(contract =>
    contract.positions.map(({ volume }) => volume.toNumber()),
  )
  const booked = lines.said('fill').map(({ quantity }) => Number(quantity))
  await live.runTo(START_AT + 5 * MINUTE)
  return { sent, positions, booked }
}

describe('an entry at market on the contracts of a host', () => {
  it.each([
    ['bitbaby', 'IOC'], // reads a market order that opens as quote value
    ['bitrue', 'IOC'],
    ['koinbay', undefined], // unit unknown, and no IOC orders: the bot cancels the rest
    ['zke', 'IOC'],
  ] as const)(
    'is a limit order of contracts at %s, and what fills is what is booked',
    async (dialect, timeInForce) => {
      const { sent, positions, booked } = await entered(dialect)
      const [entry, close, ...others] = sent
      // 100 USDT at 100 are ten contracts of 0.1 BTC; the limit is 1% above.
      expect(entry).toMatchObject({ type: 'LIMIT', open: 'OPEN', volume: 10, price: 101 })
      expect(entry?.timeInForce).toBe(timeInForce)
      expect([positions, booked]).toEqual([[4], [4]])
      expect(close).toMatchObject({ type: 'MARKET', open: 'CLOSE', volume: 4 })
      expect(others).toEqual([])
    },
  )
})
