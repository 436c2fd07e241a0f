import { describe, expect, it } from 'vitest'
import { DEFAULT_FILL_SETTINGS } from '../../backtest/models/fill-settings.ts'
import { Replay } from '../../backtest/run/replay.ts'
import { createBotLog } from '../../src/bot/log/bot-log.ts'
import { logNotice } from '../../src/bot/log/log-notice.ts'
import type { Instrument } from '../../src/domain/instrument.ts'
import { amountOf, rateOf } from '../../src/domain/numbers/amount.ts'
import { Engine } from '../../src/engine/engine.ts'
import { contractInstrument } from '../../src/exchange/futures/contract-instrument.ts'
import { Ledger } from '../../src/ledger/ledger.ts'
import { createSimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { TEST_ACCOUNT } from '../../src/simulator/simulator-config.ts'
import { LiveBot } from '../live-bot.ts'
import { hasShared } from '../shared-data.ts'
import { LogLines } from './log-lines.ts'
import { type MarketSlice, marketSlice } from './market-slice.ts'
import { turner } from './turner.ts'

const MINUTE = 60_000
const HISTORY = 20
const SPREAD_TICKS = 1
const FUNDING = { rate: '0.0001', hours: 1 } as const
const TERMS = { leverage: 5, marginMode: 'isolated', positionMode: 'oneWay' } as const
const SIZE = { equityFraction: 0.8 }

const traded = { parameters: {}, symbol: 'BTC/USDT', interval: '1m', size: SIZE } as const

/** The whole live bot on a contract that follows the klines. */
async function runLive({ klines }: MarketSlice): Promise<{ lines: LogLines; instrument: Instrument }> {
  const startAt = klines[HISTORY]?.openTime ?? 0
  const lines = new LogLines()
  const live = new LiveBot({
    ...{ bot: 'parity', startAt, lines },
    account: { type: 'futures', ...TERMS },
    exchange: createSimulatedExchange({
      listings: [{ symbol: 'BTC/USDT', market: { type: 'klines', interval: '1m', klines: [...klines] } }],
      liquidity: { spreadTicks: SPREAD_TICKS },
      accounts: [{ ...TEST_ACCOUNT, balances: {}, futuresBalances: { USDT: '10000' } }],
      futures: {
        contracts: [
          {
            ...{ symbol: 'E-BTC-USDT', pricePrecision: 2 },
            ...{ fundingHours: FUNDING.hours, fundingRate: FUNDING.rate },
          },
        ],
      },
    }),
    // Nothing here waits for a price, so that it need not be asked for so often.
    polling: { tickerMs: 30_000, staleAfterMs: 90_000 },
    strategies: [{ file: '', strategy: turner, ...traded }],
  })
  const [listed] = await live.client.futures.contracts()
  if (listed === undefined) throw new Error('The simulated exchange lists nothing.')
  await live.start()
  await live.runTo(startAt + (klines.length - HISTORY) * MINUTE - 1)
  return { lines, instrument: contractInstrument(listed, 'BTC/USDT', { ...TERMS, maintenance: [] }) }
}

/** The same strategy through the replay. */
function runReplay({ klines }: MarketSlice, instrument: Instrument): LogLines {
  const ledger = new Ledger([instrument], [['USDT', amountOf('10000')]])
  const engine = new Engine({ bot: 'parity', ledger, strategies: [{ strategy: turner, ...traded }] })
  const lines = new LogLines()
  const log = createBotLog({ level: 'debug', readable: false, stream: lines })
  const replay = new Replay({
    engine,
    instrument,
    interval: '1m',
    fills: { ...DEFAULT_FILL_SETTINGS, slippageRate: 0, slippageTicks: SPREAD_TICKS },
    sizingReference: 'decision',
    futures: {
      funding: { type: 'constant', rate: rateOf(FUNDING.rate), intervalHours: FUNDING.hours },
    },
    onNotice: notice => logNotice(log, notice, () => instrument),
  })
  for (const kline of klines.slice(0, -1)) replay.next(kline)
  return lines
}

describe.runIf(hasShared('data', 'binance-btcusdt-1m.csv.gz'))('live and backtest on one real market', () => {
  it('give the same orders and fills of a contract, turned round again and again, and the same funding', async () => {
    const market = await marketSlice(10_000, 240)
    const { lines: live, instrument } = await runLive(market)
    const replayed = runReplay(market, instrument)
    expect(live.said('order submitted')).toEqual(replayed.said('order submitted'))
    expect(live.said('fill')).toEqual(replayed.said('fill'))
    expect(live.said('funding')).toEqual(replayed.said('funding'))
    expect(live.said('fill').length).toBeGreaterThan(10)
    expect(live.said('funding').length).toBeGreaterThan(2)
  })
})
