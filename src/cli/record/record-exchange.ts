import { join } from 'node:path'
import type { Clock } from '../../domain/clock.ts'
import type { Interval } from '../../domain/market-data/interval.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { ExchangeClient } from '../../exchange/exchange-client.ts'
import { takeFileLock } from '../../files/file-lock.ts'
import { makePrivateFolder } from '../../files/private-file.ts'
import { TickRecorder } from '../../klines/record/tick-recorder.ts'
import { marketPath } from '../../klines/store/series-name.ts'
import { marketStreams } from '../../market/delivery/market-streams.ts'
import type { MarketEvent } from '../../market/market-event.ts'
import { clockScheduler } from '../../market/polls/clock-scheduler.ts'
import { FundingKeeper } from './funding-keeper.ts'
import { keepKlines } from './kline-keeper.ts'
import { MarketRecorder, type RecordedCounts } from './market-recorder.ts'
import { type RecordedFeeds, recordPlan } from './recorded-feeds.ts'

/** Markets to record. */
export interface RecordingOptions extends RecordedFeeds {
  readonly client: ExchangeClient
  /** Monotonic; polls keep their pace by it. */
  readonly clock: Clock
  readonly store: string
  /** Folder of the store for a symbol. */
  venueOf(symbol: string): string
  /** Interval of the klines. */
  readonly interval: Interval
  /** Time between two settlements of contracts, hours. */
  readonly fundingHours: number
  /** Ends the recording. */
  readonly stop: AbortSignal
  /** Takes sentences about gaps and failures. */
  onSentence(sentence: string): void
}

const FLUSH_MS = 1000
const KLINES_MS = 600_000
/** Longest time for the last klines at the end, ms. */
const LAST_KLINES_MS = 10_000
const LEAST_SILENCE_MS = 5000

/**
 * Records until `stop` aborts; then everything is on the disk. Rejects with `UsageError` if another process
 * records a symbol, and with the error of the file system if nothing can be written any more.
 */
export async function recordExchange(
  options: RecordingOptions,
): Promise<ReadonlyMap<string, RecordedCounts>> {
  const { client, symbols, store, venueOf, onSentence } = options
  const plan = recordPlan(options)
  using locks = new DisposableStack()
  const recorders = new Map(symbols.map(venueOf).map(venue => [venue, new TickRecorder(store, venue)]))
  const recorded = symbols.map(symbol => {
    const market = { symbol, venue: venueOf(symbol) }
    locks.defer(lockTicks(join(store, marketPath(market), 'ticks'), symbol))
    // One was made for each venue.
    return { ...market, recorder: recorders.get(market.venue) as TickRecorder }
  })
  await client.synchronise()
  const now = () => client.serverNow()
  const { everyMs } = options
  const recorder = new MarketRecorder({ ...{ store, symbols: recorded, everyMs, now }, onGap: onSentence })
  const flush = () => {
    for (const of of recorders.values()) of.flush()
  }
  const klines = { client, symbols: recorded, interval: options.interval, store, now, onFailure: onSentence }
  let keeping = Promise.resolve()
  const keep = (stop: AbortSignal) => {
    keeping = keeping.then(() => keepKlines(klines, stop))
    return keeping
  }
  try {
    await running(options, plan, recorder, flush, keep)
  } finally {
    recorder.end()
    for (const of of recorders.values()) of.close()
  }
  await keep(AbortSignal.timeout(LAST_KLINES_MS))
  return recorder.counts
}

/** Resolves once `stop` aborts; rejects with the first error of writing. */
function running(
  { client, clock, stop, symbols, venueOf, everyMs, store, fundingHours, onSentence }: RecordingOptions,
  plan: ReturnType<typeof recordPlan>,
  recorder: MarketRecorder,
  flush: () => void,
  keep: (stop: AbortSignal) => Promise<void>,
): Promise<void> {
  const scheduler = clockScheduler(clock)
  const isAnyContract = symbols.some(symbol => !symbol.includes('/'))
  const { events$ } = marketStreams({
    ...{ plan, scheduler, client: { spot: client.spot, ...(isAnyContract && { futures: client.futures }) } },
    serverNow: () => client.serverNow(),
    random: Math.random,
    usage: () => client.state().calls.ip,
    staleAfterMs: Math.max(LEAST_SILENCE_MS, 3 * everyMs),
    mergeWaitMs: 0,
  })
  const funding = new FundingKeeper(store, fundingHours)
  return new Promise((resolve, reject) => {
    const ends: (() => void)[] = []
    const end = (finish: () => void) => {
      for (const one of ends.splice(0)) one()
      finish()
    }
    const attempt = (work: () => void | Promise<void>) => {
      // A promise takes errors of both kinds.
      Promise.try(work).catch(error => end(() => reject(error)))
    }
    const repeat = (ms: number, work: () => void | Promise<void>) => {
      let cancel = () => {}
      const next = () => {
        cancel = clock.schedule(ms, () => {
          attempt(work)
          next()
        })
      }
      next()
      ends.push(() => cancel())
    }
    const take = (event: MarketEvent) => {
      recorder.record(event)
      if (event.type === 'failed' && event.failures === 1)
        onSentence(
          `${event.what} failed and is tried again: ${event.error instanceof Error ? event.error.message : String(event.error)}`,
        )
      return event.type === 'indexPrice'
        ? funding.keep(
            { venue: venueOf(event.symbol), symbol: event.symbol },
            event.indexPrice,
            client.serverNow(),
          )
        : undefined
    }
    repeat(FLUSH_MS, flush)
    repeat(KLINES_MS, () => keep(stop))
    attempt(() => keep(stop))
    const subscription = events$.subscribe(event => attempt(() => take(event)))
    ends.push(() => subscription.unsubscribe())
    if (stop.aborted) end(resolve)
    else stop.addEventListener('abort', () => end(resolve), { once: true })
  })
}

/** Keeps other recorders out of a folder; the returned function lets them in. */
function lockTicks(folder: string, symbol: string): () => void {
  makePrivateFolder(folder)
  const unlock = takeFileLock(join(folder, '.lock'))
  if (unlock !== undefined) return unlock
  throw new UsageError(
    `Another process records ${symbol} in ${folder} at this moment; stop it, or record into another --store.`,
  )
}
