import type { Interval } from '../../domain/market-data/interval.ts'
import { intervalMs } from '../../domain/market-data/interval.ts'
import type { ExchangeCalls } from '../../exchange/exchange-client.ts'
import { KLINES_LIMIT } from '../../exchange/ranges/kline-range.ts'
import { downloadKlines } from '../../klines/download/download-klines.ts'
import { KlineStore } from '../../klines/store/kline-store.ts'
import { klineReader } from '../klines/download-source.ts'

/** Klines to keep. */
export interface KeptKlines {
  readonly client: ExchangeCalls
  readonly symbols: readonly { readonly symbol: string; readonly venue: string }[]
  readonly interval: Interval
  readonly store: string
  /** Exchange time, ms UTC. */
  now(): number
  /** Takes a sentence about klines that cannot be read now. */
  onFailure(sentence: string): void
}

/**
 * Stores the klines of each symbol that have closed: since the last stored one, or as many as one answer holds.
 * A failure is reported, and the next call reads what is missing.
 */
export async function keepKlines(kept: KeptKlines, signal: AbortSignal): Promise<void> {
  const { client, symbols, interval, store, now, onFailure } = kept
  for (const { symbol, venue } of symbols) {
    const series = new KlineStore(store).klines({ venue, symbol, interval })
    const to = now()
    const { read } = klineReader(client, symbol, interval)
    try {
      await downloadKlines({
        ...{ series, interval, to, now: to, again: false, source: `${interval} klines recorded of ${venue}` },
        from: series.extent()?.last ?? to - KLINES_LIMIT * intervalMs(interval),
        read: (first, last) => read(first, last, signal),
      })
    } catch (error) {
      if (signal.aborted) return
      onFailure(
        `The klines of ${symbol} are read later: ${error instanceof Error ? error.message : String(error)}`,
      )
    }
  }
}
