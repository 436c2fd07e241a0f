import { banFileOf } from '../../bot/venue/exchange-venue.ts'
import { configOfBot } from '../../config/load-bot-config.ts'
import type { Interval } from '../../domain/market-data/interval.ts'
import type { Kline } from '../../domain/market-data/kline.ts'
import { SluiceError, UsageError } from '../../domain/sluice-error.ts'
import { fileBanStore } from '../../exchange/budget/file-ban-store.ts'
import { createSystemClock } from '../../exchange/clock/system-clock.ts'
import { createExchangeClient } from '../../exchange/exchange-client.ts'
import { originOf } from '../../exchange/http/base-url.ts'
import { KLINES_LIMIT as PAGE_LIMIT } from '../../exchange/ranges/kline-range.ts'
import { isOffered, offeredPartOf } from '../../exchange/spot/spot-interval.ts'

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
export interface DownloadSourceOptions {
  readonly symbol: string
  readonly interval: Interval
  readonly spotUrl?: string
  readonly futuresUrl?: string
  /** Path of a bot's configuration, used without a URL. */
  readonly config: string
}

/** Intervals whose boundaries depend on the time zone; the store uses UTC. */
const ZONED: ReadonlySet<Interval> = new Set<Interval>(['1d', '1w', '1M'])

/** Opens an exchange for its klines, without a key. Throws `UsageError` if the exchange is ambiguous. */
export function openDownloadSource(options: DownloadSourceOptions): DownloadSource {
  const { symbol, interval } = options
  const isSpot = symbol.includes('/')
  if (!isOffered(interval)) {
    throw new UsageError(
      `The exchange has no klines of ${interval}; download those of ${offeredPartOf(interval)}, of which backtests make them.`,
    )
  }
  const origin = originOf(isSpot ? spotUrlOf(options) : futuresUrlOf(options))
  const client = createExchangeClient({
    spotUrl: origin,
    futuresUrl: origin,
    clock: createSystemClock(),
    banStore: fileBanStore(banFileOf(origin)),
  })
  const timezone = ZONED.has(interval) ? { timezone: 'UTC+00' } : {}
  return {
    description: `${isSpot ? 'spot' : 'futures'} klines of ${origin}`,
    venue: venueOf(origin),
    now: () => (isSpot ? client.spot.time() : client.futures.time()),
    read: (from, to, signal) =>
      isSpot
        ? client.spot.allKlines({ symbol, interval, from, to, signal, ...timezone })
        : client.futures.allKlines({ contractName: symbol, interval, from, to, signal }),
    page: (startTime, endTime) =>
      isSpot
        ? client.spot.klines({ symbol, interval, startTime, endTime, limit: PAGE_LIMIT, ...timezone })
        : client.futures.klines({ contractName: symbol, interval, startTime, endTime, limit: PAGE_LIMIT }),
    nothingOf: of =>
      new SluiceError(
        `${origin} has no ${interval} klines of ${of}; check the symbol, or import klines of another source.`,
        { code: 'NO_KLINES', reaction: 'retry' },
      ),
    close: () => client.close(),
  }
}

function spotUrlOf({ spotUrl, config: path }: DownloadSourceOptions): string {
  if (spotUrl !== undefined) return spotUrl
  const { venue } = configOfBot(path)
  if (venue.type === 'exchange' && venue.spotUrl !== undefined) return venue.spotUrl
  const venueText =
    venue.type === 'exchange'
      ? 'an exchange without a spot host, which has no pairs'
      : 'the simulated exchange inside a bot, which has no klines'
  throw new UsageError(
    `The venue in ${path} is ${venueText} to download; give --spot-url, or a --config whose venue is an exchange.`,
  )
}

function futuresUrlOf({ futuresUrl, symbol }: DownloadSourceOptions): string {
  if (futuresUrl !== undefined) return futuresUrl
  throw new UsageError(`${symbol} is a futures contract; give --futures-url.`)
}

/** A local exchange has another port every time, so its host name is enough. */
function venueOf(origin: string): string {
  const host = new URL(origin).hostname
  return /^(127\..*|\[::1\])$/.test(host) ? 'localhost' : host
}
