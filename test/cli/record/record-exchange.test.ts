import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createAcceleratedClock } from '../../../src/bot/clock/accelerated-clock.ts'
import { type RecordingOptions, recordExchange } from '../../../src/cli/record/record-exchange.ts'
import { createExchangeClient } from '../../../src/exchange/exchange-client.ts'
import { readRecordedTicks } from '../../../src/klines/record/recorded-ticks.ts'
import { KlineStore } from '../../../src/klines/store/kline-store.ts'
import { startExchangeServer } from '../../../src/simulator/server/exchange-server.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { scratchFolder } from '../../klines/store/scratch-store.ts'
import { sluiceHere } from '../backtest/in-process.ts'

const MINUTE = 60_000
/** Ten minutes after a settlement of funding, in the middle of a minute. */
const START = Date.UTC(2024, 1, 3, 8, 10, 30)
const SPEED = 60

/** A simulated exchange whose clock, like that of its client, runs 60 times as fast as ours. */
async function fastExchange() {
  const clock = createAcceleratedClock({ speed: SPEED, startAt: START })
  const exchange = createSimulatedExchange({
    seed: 5,
    listings: [{ symbol: 'BTC/USDT', market: { type: 'generated', historyKlines: 50 } }],
    futures: { contracts: [{ symbol: 'E-BTC-USDT' }] },
  })
  const server = await startExchangeServer({ exchange, clock })
  const { url } = server
  const client = createExchangeClient({
    ...{ spotUrl: url, futuresUrl: url, clock, timeoutMs: 10 * MINUTE, maxWaitMs: 10 * MINUTE },
    timeOffset: () => 0,
  })
  onTestFinished(async () => {
    await client.close()
    await server.close()
  })
  return { clock, client }
}

type Fast = Awaited<ReturnType<typeof fastExchange>>

/** Records for some minutes of the exchange. */
async function record(
  { clock, client }: Fast,
  store: string,
  minutes: number,
  more: Partial<RecordingOptions> = {},
) {
  const sentences: string[] = []
  const stop = new AbortController()
  clock.schedule(minutes * MINUTE, () => stop.abort())
  const counts = await recordExchange({
    ...{ client, clock, store, symbols: ['BTC/USDT', 'E-BTC-USDT'], everyMs: 20_000, levels: 5 },
    ...{ weightPerMinute: 12_000, interval: '1m', fundingHours: 8, venueOf: () => 'there' },
    stop: stop.signal,
    onSentence: sentence => sentences.push(sentence),
    ...more,
  })
  return { counts, sentences }
}

/** False for a host that was silent for a minute: a busy machine makes that of a second. */
function isNoSilence({ reason }: { readonly reason: string }): boolean {
  return !reason.startsWith('Nothing came of')
}

describe('recordExchange', () => {
  it('keeps trades, books, index prices, funding and klines, which a backtest plays', async () => {
    const [fast, store] = [await fastExchange(), scratchFolder()]
    const { counts } = await record(fast, store, 4)
    const spot = { venue: 'there', symbol: 'BTC/USDT' }
    const contract = { venue: 'there', symbol: 'E-BTC-USDT' }
    const { trades, books, gaps } = await readRecordedTicks(join(store, 'there/BTC-USDT/ticks'), {})
    // Every trade that the exchange has of that time is there, once, as it was.
    const listed = await fast.client.spot.trades({ symbol: 'BTC/USDT', limit: 1000 })
    const [first, last] = [trades.id[0] ?? 0, trades.id.at(-1) ?? 0]
    const expected = listed.filter(({ id }) => Number(id) >= first && Number(id) <= last)
    expect(trades.length).toBeGreaterThan(10)
    expect([...trades.id]).toEqual(expected.map(({ id }) => Number(id)))
    expect([...trades.price]).toEqual(expected.map(({ price }) => price.toNumber()))
    expect([...trades.quantity]).toEqual(expected.map(({ quantity }) => quantity.toNumber()))
    expect([...trades.side]).toEqual(expected.map(({ side }) => (side === 'buy' ? 1 : -1)))
    expect(books?.length).toBe(counts.get('BTC/USDT')?.books)
    expect(gaps.filter(isNoSilence)).toEqual([])
    expect(existsSync(join(store, 'there/E-BTC-USDT/ticks/2024-02-03.index.csv'))).toBe(true)
    // The settlement of 08:00, and the minutes before and within the recording.
    expect([...new KlineStore(store).funding(contract).read().time]).toEqual([Date.UTC(2024, 1, 3, 8)])
    for (const market of [spot, contract]) {
      const klines = new KlineStore(store).klines({ ...market, interval: '1m' }).extent()
      expect(klines?.last).toBeGreaterThanOrEqual(START + 2.5 * MINUTE)
    }
    const backtest = ['backtest', 'strategies/grid.ts', '--param', 'levels=2', '--param', 'spacing=0.0005']
    const args = [...backtest, '--symbol', 'BTC/USDT', '--interval', '1m', '--store', store, '--ticks']
    const result = join(store, 'result.json')
    expect(await sluiceHere(...args, '--gaps', 'skip', '--json', result)).toEqual({
      ...{ exitCode: 0, out: '', err: '' },
    })
    const { manifest, ambiguity } = JSON.parse(readFileSync(result, 'utf8'))
    // Of four minutes that begin within one, at least two are whole.
    expect([manifest.klines >= 2, ambiguity.path]).toEqual([true, 'trades'])
    expect(manifest.data.map(({ file }: { file: string }) => file)).toEqual([
      'BTC-USDT ticks of there',
      'BTC-USDT order books of there',
    ])
    expect((await sluiceHere('backtest', '--verify', result)).exitCode).toBe(0)
  }, 20_000)

  it('writes down that it was not running, over which a backtest does not play unasked', async () => {
    const [fast, store] = [await fastExchange(), scratchFolder()]
    await record(fast, store, 1.2, { symbols: ['BTC/USDT'] })
    const before = await readRecordedTicks(join(store, 'there/BTC-USDT/ticks'), {})
    const again = await record(fast, store, 2.2, { symbols: ['BTC/USDT'] })
    const { gaps: all, books } = await readRecordedTicks(join(store, 'there/BTC-USDT/ticks'), {})
    const gaps = all.filter(isNoSilence)
    expect(again.sentences.filter(sentence => sentence.endsWith('was not running.'))).toHaveLength(1)
    expect(gaps).toHaveLength(1)
    expect(gaps[0]?.reason).toBe('The recorder was not running.')
    // From the last row of the first run to soon after the first book of the second.
    expect(gaps[0]?.from).toBeGreaterThanOrEqual(before.books?.time.at(-1) ?? Number.POSITIVE_INFINITY)
    const begun = books?.time[before.books?.length ?? 0] ?? 0
    expect((gaps[0]?.until ?? 0) - begun).toBeGreaterThanOrEqual(40_000)
    const backtest = ['backtest', 'strategies/grid.ts', '--param', 'levels=2', '--param', 'spacing=0.0005']
    const args = [...backtest, '--symbol', 'BTC/USDT', '--interval', '1m', '--store', store, '--ticks']
    const refused = await sluiceHere(...args)
    expect([refused.exitCode, refused.err]).toEqual([
      2,
      expect.stringContaining(': The recorder was not running.\n'),
    ])
    expect(await sluiceHere(...args, '--gaps', 'skip')).toMatchObject({ exitCode: 0, err: '' })
  }, 20_000)

  it('is the only one that records a symbol into a folder', async () => {
    const [fast, store] = [await fastExchange(), scratchFolder()]
    const first = record(fast, store, 0.2)
    await expect(record(fast, store, 0.2)).rejects.toThrow(
      /Another process records BTC\/USDT in .*\/ticks at this moment/,
    )
    await first
  })
})
