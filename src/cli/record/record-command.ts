import { join } from 'node:path'
import { createSystemClock } from '../../exchange/clock/system-clock.ts'
import { marketPath } from '../../klines/store/series-name.ts'
import { planText } from '../bot/plan-table.ts'
import { onStopSignal } from '../bot/stop-signal.ts'
import { requiredInterval } from '../klines/required-interval.ts'
import { chosenHosts, type ExchangeChoice, isPair, openPublicExchange } from '../public-exchange.ts'
import type { OutputStreams } from '../streams.ts'
import { requireListed } from './listed-symbols.ts'
import type { RecordedCounts } from './market-recorder.ts'
import { recordExchange } from './record-exchange.ts'
import { recordPlan } from './recorded-feeds.ts'

/** Options of the record command. */
export interface RecordCommandOptions extends ExchangeChoice {
  /** One symbol, or several separated by commas. */
  readonly symbol: string
  readonly interval: string
  /** Time between two reads, ms. */
  readonly every: number
  readonly levels: number
  readonly weightPerMinute: number
  readonly fundingHours: number
  readonly store: string
  readonly venue?: string
  /** Ends the recording after this real time, ms. */
  readonly stopAfter?: number
  /** Shows the polls and sends nothing. */
  readonly plan: boolean
  readonly json: boolean
}

const KLINES_BESIDE =
  'Besides, the klines of each symbol are read once a minute, at a weight of 1 a call, from what the plan leaves.'

/**
 * Records until Ctrl-C, SIGTERM, SIGHUP or the given time; resolves to exit code 0, rejects with `UsageError`.
 */
export async function runRecord(options: RecordCommandOptions, { out }: OutputStreams): Promise<number> {
  const symbols = options.symbol.split(',')
  const interval = requiredInterval(options.interval)
  const feeds = {
    symbols,
    everyMs: options.every,
    levels: options.levels,
    weightPerMinute: options.weightPerMinute,
  }
  if (options.plan) {
    chosenHosts(options, symbols)
    const plan = recordPlan(feeds)
    out.write(options.json ? `${JSON.stringify(plan)}\n` : `${planText(plan).trimEnd()}\n${KLINES_BESIDE}\n`)
    return 0
  }
  const exchange = await openPublicExchange(options, symbols)
  const venueOf = (symbol: string) => options.venue ?? exchange.venueOf(symbol)
  const folders = symbols.map(symbol =>
    join(options.store, marketPath({ venue: venueOf(symbol), symbol }), 'ticks'),
  )
  const stop = new AbortController()
  const forgetSignal = onStopSignal(() => stop.abort())
  const clock = createSystemClock()
  const cancel =
    options.stopAfter === undefined ? () => {} : clock.schedule(options.stopAfter, () => stop.abort())
  const tell = (fact: object, text: string) =>
    void out.write(options.json ? `${JSON.stringify(fact)}\n` : `${text}\n`)
  try {
    const plan = recordPlan(feeds)
    for (const sentence of await requireListed(exchange.client, symbols)) tell({ sentence }, sentence)
    for (const [index, symbol] of symbols.entries()) {
      const folder = folders[index] as string // one for each symbol
      tell({ recording: symbol, folder }, `Recording ${symbol} into ${folder}: ${feedsText(symbol)}.`)
    }
    if (plan.slowdown > 1)
      tell(
        { slowdown: plan.slowdown },
        `The weight limit makes the reads ${plan.slowdown.toFixed(1)} times slower than --every.`,
      )
    const counts = await recordExchange({
      ...feeds,
      ...{ client: exchange.client, clock, store: options.store, venueOf, interval },
      fundingHours: options.fundingHours,
      stop: stop.signal,
      onSentence: sentence => tell({ sentence }, sentence),
    })
    for (const [symbol, of] of counts) tell({ symbol, ...of }, countsText(symbol, of))
    return 0
  } finally {
    cancel()
    forgetSignal()
    await exchange.close()
  }
}

function feedsText(symbol: string): string {
  return isPair(symbol)
    ? 'trades, order books and klines'
    : 'order books, mark and index prices, funding rates and klines (hosts list no trades of contracts)'
}

function countsText(symbol: string, { trades, books, indexPrices, gaps }: RecordedCounts): string {
  const first = isPair(symbol) ? counted(trades, 'trade') : counted(indexPrices, 'index price')
  return `Recorded ${symbol}: ${first}, ${counted(books, 'order book')}, ${counted(gaps, 'gap')}.`
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}
