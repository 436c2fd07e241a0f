import { readFileSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Bot } from '../../bot/bot.ts'
import type { BotObserver } from '../../bot/bot-observer.ts'
import type { BotStatus } from '../../bot/log/bot-status.ts'
import type { AccountEquity } from '../../bot/state/account-moves.ts'
import type { Venue } from '../../bot/venue/venue.ts'
import type { ComparisonUpdate } from '../../compare/comparison-messages.ts'
import type { MarketOf } from '../../config/configured-market.ts'
import type { MetricsConfig, OtlpConfig } from '../../config/metrics-field.ts'
import type { OtlpHeaders } from '../../config/otlp-headers.ts'
import type { Clock } from '../../domain/clock.ts'
import { botMeters } from './bot-meters.ts'
import { watchEventLoop } from './event-loop-lag.ts'
import type { MetricRegistry, MetricsText } from './metric-registry.ts'
import { OtlpExporter } from './otlp-exporter.ts'
import { otlpMetrics } from './otlp-metrics.ts'
import { prometheusRegistry } from './prometheus-registry.ts'
import { type Readiness, readinessOf } from './readiness.ts'
import { StatusGauges } from './status-gauges.ts'
import { statusInTime } from './status-in-time.ts'
import { TradingCounts } from './trading-counts.ts'

/** Readers that ask more often than this get the same answer, ms. */
const FRESH_MS = 1000
const VERSION: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version

/** Parts of the metrics of a bot. */
export interface BotMetricsOptions {
  readonly config: MetricsConfig
  readonly marketOf: MarketOf
  readonly venue: Pick<Venue, 'requests' | 'clockOffsetMs'>
  /** Default: text for Prometheus. */
  readonly registry?: MetricRegistry
}

/** Metrics and readiness of a running bot. It only reads. */
export class BotMetrics {
  /** Of the bot; give it at its creation. */
  readonly observer: BotObserver
  readonly #registry: MetricRegistry
  readonly #venue: BotMetricsOptions['venue']
  readonly #meters: ReturnType<typeof botMeters>
  readonly #gauges: StatusGauges
  readonly #stopWatching: () => void
  #running: Bot | undefined
  #comparison: () => ComparisonUpdate | undefined = () => undefined
  #exporter: OtlpExporter | undefined
  #written: { readonly at: number; readonly text: Promise<MetricsText> } | undefined

  constructor({ config, marketOf, venue, registry = prometheusRegistry() }: BotMetricsOptions) {
    this.#registry = registry
    this.#venue = venue
    this.#meters = botMeters(registry, config.balances)
    this.#gauges = new StatusGauges(this.#meters, marketOf)
    const counts = new TradingCounts(this.#meters, marketOf)
    const { decisions, commits, lag, build } = this.#meters
    this.observer = {
      onEntry: entry => counts.take(entry),
      onDecided: (symbol, ms) => {
        decisions.observe({ symbol }, ms / 1000)
        setImmediate(() => this.#noteEquity())
      },
      onCommitted: ms => commits.observe({}, ms / 1000),
    }
    build.replace([[{ version: VERSION, node: process.version }, 1]])
    this.#stopWatching = watchEventLoop(ms => lag.observe({}, ms / 1000))
  }

  /** Takes equity of before the start, `moved` counted from there: the drawdown counts from the highest. */
  rememberEquity(points: Iterable<AccountEquity>): void {
    for (const point of points) this.#gauges.noteEquity(point)
  }

  /** Shows a bot from now on; `comparison`: the latest one with its backtest. */
  show(bot: Bot, comparison?: () => ComparisonUpdate | undefined): void {
    this.#running = bot
    if (comparison !== undefined) this.#comparison = comparison
  }

  /** Counts an attempt to deliver a notice by its channel and its result. */
  readonly countNotice = (channel: string, result: string): void =>
    this.#meters.notices.add({ channel, result })

  /** All metrics; readers within a second share one answer. */
  write(): Promise<MetricsText> {
    const now = performance.now()
    if (this.#written === undefined || now - this.#written.at > FRESH_MS)
      this.#written = { at: now, text: this.#writeNow() }
    return this.#written.text
  }

  /** True if the bot answers, and if it may trade; with the reasons why not. */
  async readiness(): Promise<Readiness> {
    if (this.#running === undefined) return { isAlive: true, reasons: ['The bot is starting.'] }
    return readinessOf(await this.#status())
  }

  close(): void {
    this.#stopWatching()
    void this.#exporter?.close()
  }

  /** Sends all metrics to a collector from now on; `headers` are secrets, `clock` is real time. */
  exportTo(config: OtlpConfig, headers: OtlpHeaders, bot: string, clock: Clock, log: Logger): void {
    const since = clock.now()
    this.#exporter = new OtlpExporter({
      ...{ config, headers, clock, log },
      body: async () => {
        await this.#refresh()
        const service = { 'service.name': 'sluice', 'service.instance.id': bot, 'service.version': VERSION }
        return JSON.stringify(
          otlpMetrics(await this.#registry.samples(), service, { since, now: clock.now() }),
        )
      },
    })
  }

  #noteEquity(): void {
    if (this.#running !== undefined) this.#gauges.noteEquity(this.#running.equity)
  }

  async #writeNow(): Promise<MetricsText> {
    await this.#refresh()
    return this.#registry.write()
  }

  async #refresh(): Promise<void> {
    const status = await this.#status()
    if (typeof status === 'object' && this.#running !== undefined)
      this.#gauges.show(status, this.#running.equity, this.#running.health, this.#venue.clockOffsetMs?.())
    this.#gauges.compare(this.#comparison())
    const requests = this.#venue.requests?.() ?? []
    this.#meters.requests.replace(requests.map(({ count, ...labels }) => [labels, count]))
  }

  /** The status, or the reason that there is none. */
  async #status(): Promise<BotStatus | 'starting' | 'silent' | 'ending'> {
    return this.#running === undefined ? 'starting' : statusInTime(this.#running)
  }
}
