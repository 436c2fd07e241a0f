import { describe, expect, it } from 'vitest'
import { loadProfile } from '../../../src/config/profiles/load-profile.ts'
import { rateOf, ZERO } from '../../../src/domain/numbers/amount.ts'
import type { DialectName } from '../../../src/simulator/dialects/dialects.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { LiveBot } from '../../live-bot.ts'
import { LogLines } from '../../parity/log-lines.ts'
import { dialectConfig } from '../../simulator/dialects/dialect-host.ts'
import { MINUTE, START } from '../../simulator/exchange-caller.ts'
import { flipper } from '../test-strategies.ts'

const START_AT = START + 20 * MINUTE
/** Rules that some hosts do not list. */
const RULES = {
  default: { makerFeeRate: rateOf('0.001'), takerFeeRate: rateOf('0.001'), minNotional: ZERO },
}

/** A bot that enters at one kline and exits at the next, for five minutes, with the profile of a host on its dialect. */
async function traded(dialect: DialectName, symbol: string) {
  const lines = new LogLines()
  const paths = new Set<string>()
  const live = new LiveBot({
    ...{ bot: 'profiles', startAt: START_AT, lines, risk: {}, instruments: RULES },
    ...(symbol.includes('/') ? {} : { account: { type: 'futures', leverage: 5 } as const }),
    profile: loadProfile(dialect),
    exchange: createSimulatedExchange(dialectConfig(dialect)),
    strategies: [
      { file: '', strategy: flipper, symbol, interval: '1m', parameters: {}, size: { quote: 100 } },
    ],
    onRequest: ({ url }) => paths.add(new URL(url).pathname),
  })
  await live.start()
  await live.runTo(START_AT + 5 * MINUTE)
  return { lines, paths }
}

describe('a bot with the profile of a host', () => {
  it.each([
    ['koinbay', 'BTC/USDT', '/sapi/v1/order'],
    ['zke', 'BTC/USDT', '/sapi/v2/order'],
    ['gcbex', 'BTC/USDT', '/sapi/v2/order'],
    ['fameex', 'BTC/USDT', '/sapi/v1/order'],
    ['bitbaby', 'BTC/USDT', '/spot/open/sapi/v1/order'],
    ['koinbay', 'E-BTC-USDT', '/fapi/v1/order'],
    ['xme', 'E-BTC-USDT', '/fapi/v1/order'],
    ['odyssey', 'E-BTC-USDT', '/fapi/v1/order'],
    ['bitbaby', 'E-BTC-USDT', '/futures/open/fapi/v1/order'],
    ['darkex', 'USDT1802-BTC-USDT', '/fapi/v1/order'],
    ['bitrue', 'E-BTC-USDT', '/fapi/v2/order'],
  ] as const)('trades round trips at %s: %s by %s', async (dialect, symbol, path) => {
    const { lines, paths } = await traded(dialect, symbol)
    expect(paths).toContain(path)
    expect(lines.said('order rejected')).toEqual([])
    expect(lines.said('round trip closed').length).toBeGreaterThan(0)
  })
})
