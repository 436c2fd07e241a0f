import { z } from 'zod'
import { INTERVALS } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import type { TopOfBook } from '../../domain/market-data/top-of-book.ts'
import type { Trade } from '../../domain/market-data/trade.ts'
import { positive, settings, whole } from '../settings.ts'

const rows = <Row>(items: string) =>
  z.custom<readonly Row[]>(value => Array.isArray(value) && value.length > 0, `a list of ${items}`)

const generatedMarket = settings({
  type: z.literal('generated'),
  startPrice: positive().default(60_000).describe('Price at which it begins, in quote.'),
  yearlyVolatility: positive(10).default(0.6).describe("Standard deviation of a year's return; 0.6 is 60%."),
  volumePerMinute: positive().default(10).describe('Volume of a quiet minute, in base.'),
  /** Minutes of history that exist when the exchange opens. */
  historyKlines: whole(0, 1_000_000)
    .default(10_080)
    .describe('Minutes of history that exist when the exchange opens.'),
})

const replayedMarket = settings({
  type: z.literal('klines'),
  interval: z
    .enum(INTERVALS, { error: `one of ${INTERVALS.join(', ')}` })
    .default('1m')
    .describe('Length of the klines in the file.'),
  /** Ascending; klines before the opening are history. Each is checked when it is played. */
  klines: rows<Kline>('klines'),
})

const recordedMarket = settings({
  type: z.literal('ticks'),
  /** Ascending by time; trades before the opening are history. Each is checked when it is played. */
  trades: rows<Trade>('trades'),
  /** Best bids and asks of the same market; without them, quotes surround its last trade. */
  quotes: rows<TopOfBook>('best bids and asks').optional(),
})

/** A market that a host's observations move; nothing else does. */
const liveMarket = settings({ type: z.literal('live') })

/** The schema of a market's price source. */
export const marketSettings = z.discriminatedUnion(
  'type',
  [generatedMarket, replayedMarket, recordedMarket, liveMarket],
  {
    error: ({ code }) => (code === 'invalid_union' ? 'generated, klines or ticks' : 'a section with a type'),
  },
)

/** Source of a market's prices. */
export type MarketSettings = z.output<typeof marketSettings>
