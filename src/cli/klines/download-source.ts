import type { Interval } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { SluiceError, UsageError } from '../../domain/sluice-error.ts'
import type { Host } from '../../exchange/endpoints/endpoint.ts'
import type { ExchangeCalls } from '../../exchange/exchange-client.ts'
import { baseUrlOf } from '../../exchange/http/base-url.ts'
import type { ExchangeProfile } from '../../exchange/profiles/exchange-profile.ts'
import { KLINES_LIMIT } from '../../exchange/ranges/kline-range.ts'
import { offeredPartOf } from '../../exchange/spot/spot-interval.ts'
import { type ExchangeChoice, isPair, openPublicExchange } from '../public-exchange.ts'

/** Source of a download. */
export interface DownloadSource {
  /** Readable description, for the files. */
  readonly description: string
  /** The host's name, as a folder of the store. */
  readonly venue: string
  /** Exchange time, ms UTC. */
  now(): Promise<number>
  /** Klines that open from `from` to `to`, both included, oldest first, until `signal` aborts. */
  read(from: number, to: number, signal: AbortSignal): AsyncIterable<Kline>
  /** Klines that open from `from` to `to`, both included, as far as one answer holds them. */
  page(from: number, to: number): Promise<readonly Kline[]>
  /** Error for a symbol of which the exchange has no klines. */
  nothingOf(symbol: string): SluiceError
  close(): Promise<void>
}

/** Klines and exchange of a download. */
export interface DownloadSourceOptions extends ExchangeChoice {
  readonly symbol: string
  readonly interval: Interval
}

/** Intervals whose boundaries depend on the time zone; the store uses UTC. */
const ZONED: ReadonlySet<Interval> = new Set<Interval>(['1d', '1w', '1M'])

/** Opens an exchange for its klines, without a key. Throws `UsageError` if the exchange is ambiguous. */
export async function openDownloadSource(options: DownloadSourceOptions): Promise<DownloadSource> {
  const { symbol, interval } = options
  const { client, profile, urlOf, venueOf, close } = await openPublicExchange(options, [symbol])
  const isSpot = isPair(symbol)
  requireInterval(interval, profile, isSpot ? 'spot' : 'futures')
  const { origin } = baseUrlOf(urlOf(symbol))
  return {
    description: `${isSpot ? 'spot' : 'futures'} klines of ${origin}`,
    venue: venueOf(symbol),
    now: async () => {
      await client.synchronise()
      return client.serverNow()
    },
    ...klineReader(client, symbol, interval),
    nothingOf: of =>
      new SluiceError(
        `${origin} has no ${interval} klines of ${of}; check the symbol, or import klines of another source.`,
        { code: 'NO_KLINES', reaction: 'retry' },
      ),
    close,
  }
}

/** Reads the klines of a symbol, page by page. */
export function klineReader(
  { spot, futures }: ExchangeCalls,
  symbol: string,
  interval: Interval,
): Pick<DownloadSource, 'read' | 'page'> {
  if (!isPair(symbol)) {
    const query = { contractName: symbol, interval }
    return {
      read: (from, to, signal) => futures.allKlines({ ...query, from, to, signal }),
      page: (startTime, endTime) => futures.klines({ ...query, startTime, endTime, limit: KLINES_LIMIT }),
    }
  }
  const query = { symbol, interval, ...(ZONED.has(interval) && { timezone: 'UTC+00' }) }
  return {
    read: (from, to, signal) => spot.allKlines({ ...query, from, to, signal }),
    page: (startTime, endTime) => spot.klines({ ...query, startTime, endTime, limit: KLINES_LIMIT }),
  }
}

/** Throws `UsageError` for an interval that the host lacks, with the one to download instead. */
function requireInterval(interval: Interval, profile: ExchangeProfile, host: Host): void {
  const { lacksKlines } = profile[host]
  const part = offeredPartOf(interval, lacksKlines)
  const hasPart = !lacksKlines.includes(part)
  if (part === interval && hasPart) return
  const name = profile.name === 'document' ? 'The exchange' : `${profile.exchange} (profile ${profile.name})`
  throw new UsageError(
    hasPart
      ? `${name} has no klines of ${interval}; download those of ${part}, of which backtests make them.`
      : `${name} has no ${host} klines of ${interval}, nor any that they could be made of; download those of another exchange, or import files.`,
  )
}
