import { describe, expect, it } from 'vitest'
import { MarketRecorder } from '../../../src/cli/record/market-recorder.ts'
import { Decimal } from '../../../src/domain/numbers/decimal.ts'
import { readRecordedTicks } from '../../../src/klines/record/recorded-ticks.ts'
import { TickRecorder } from '../../../src/klines/record/tick-recorder.ts'
import type { MarketEvent } from '../../../src/market/market-event.ts'
import { scratchFolder } from '../../klines/store/scratch-store.ts'

const START = Date.UTC(2024, 1, 3, 12)
const PAIR = { market: 'spot', symbol: 'BTC/USDT' } as const

/** A recorder whose clock the test moves, and what a backtest reads of it afterwards. */
function recorder() {
  const store = scratchFolder()
  const ticks = new TickRecorder(store, 'there')
  const time = { now: START }
  const sentences: string[] = []
  const recorder = new MarketRecorder({
    ...{ store, everyMs: 1000, now: () => time.now },
    symbols: [{ symbol: 'BTC/USDT', venue: 'there', recorder: ticks }],
    onGap: sentence => sentences.push(sentence),
  })
  const read = async () => {
    ticks.flush()
    const { trades, books, gaps } = await readRecordedTicks(`${store}/there/BTC-USDT/ticks`, {})
    const reasons = gaps.map(({ from, until, reason }) => [from - START, until - START, reason])
    return {
      times: [...trades.time].map(at => at - START),
      books: [...(books?.price ?? [])].filter((_, at) => at % 2 === 0),
      gaps: reasons,
    }
  }
  return { recorder, time, sentences, read, ticks }
}

function trade(id: string, time: number) {
  const [price, quantity] = [new Decimal('100.50'), new Decimal('0.00000001')]
  return { id, symbol: 'BTC/USDT', side: 'sell', price, quantity, time } as const
}

const traded = (id: string, time: number): MarketEvent => ({
  type: 'trade',
  ...PAIR,
  trade: trade(id, START + time),
})

function book(bid: number, time: number): MarketEvent {
  const level = (price: number) => [{ price: new Decimal(price), quantity: new Decimal(1) }]
  return { type: 'depth', ...PAIR, depth: { time: START + time, bids: level(bid), asks: level(bid + 1) } }
}

describe('MarketRecorder', () => {
  it('writes down trades that were missed between two reads', async () => {
    const { recorder: to, read, sentences } = recorder()
    to.record(traded('1', 0))
    const [after, before] = [trade('1', START), trade('2000', START + 5000)]
    to.record({ type: 'tradesMissed', ...PAIR, market: 'spot', after, before })
    to.record(traded('2000', 5000))
    const reason = 'More trades happened between two reads than one answer holds.'
    expect(await read()).toMatchObject({ times: [0, 5000], gaps: [[0, 5000, reason]] })
    expect(sentences).toEqual([
      `BTC/USDT lacks 2024-02-03T12:00:00.000Z to 2024-02-03T12:00:05.000Z: ${reason}`,
    ])
  })

  it('writes down for how long books were silent, also at the end', async () => {
    const { recorder: to, read, time } = recorder()
    to.record(book(100, 0))
    time.now = START + 60_000
    to.record({ type: 'stale', stream: 'spot depth BTC/USDT', ageMs: 20_000 })
    time.now = START + 90_000
    to.record({ type: 'fresh', stream: 'spot depth BTC/USDT', ageMs: 50_000 })
    to.record({ type: 'stale', stream: 'spot depth BTC/USDT', ageMs: 10_000 })
    time.now = START + 100_000
    to.end()
    const reason = 'Nothing came of spot depth BTC/USDT.'
    expect((await read()).gaps).toEqual([
      [40_000, 90_000, reason],
      [80_000, 100_000, reason],
    ])
  })

  it('counts no silence of trades, whose next answer brings them or reports them missed', async () => {
    const { recorder: to, read } = recorder()
    to.record(traded('1', 0))
    to.record({ type: 'stale', stream: 'spot trades BTC/USDT', ageMs: 20_000 })
    to.end()
    expect((await read()).gaps).toEqual([])
  })

  it('writes down a trade that is impossible', async () => {
    const { recorder: to, read } = recorder()
    to.record(traded('1', 0))
    to.record({ type: 'refused', stream: 'spot trades BTC/USDT', reason: 'Its price is 0.' })
    expect((await read()).gaps).toEqual([[-1000, 0, 'Its price is 0.']])
  })

  it('keeps times in order where a host does not, and leaves out an old book', async () => {
    const { recorder: to, read } = recorder()
    for (const event of [
      traded('9007199254740993', 10),
      traded('9007199254740994', 5),
      book(100, 7),
      book(99, 6),
    ])
      to.record(event)
    // Ids beyond 2^53 look alike as doubles, and are two trades.
    to.record(traded('9007199254740995', 10))
    expect(await read()).toMatchObject({ times: [10, 10, 10], books: [100] })
  })
})
