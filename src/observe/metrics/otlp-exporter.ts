import type { Logger } from 'pino'
import type { OtlpConfig } from '../../config/metrics-field.ts'
import type { OtlpHeaders } from '../../config/otlp-headers.ts'
import type { Clock } from '../../domain/clock.ts'
import { HttpPost } from '../channels/http-post.ts'

/** Parts of an exporter. */
export interface OtlpExporterParts {
  readonly config: OtlpConfig
  /** Secrets that the collector asks for. */
  readonly headers: OtlpHeaders
  /** Real time. */
  readonly clock: Clock
  readonly log: Logger
  /** The body of a request, at present. */
  readonly body: () => Promise<string>
}

/** Sends metrics to a collector of OpenTelemetry, again and again; one that hangs or is away is left out until it answers. */
export class OtlpExporter {
  readonly #parts: OtlpExporterParts
  readonly #http = new HttpPost()
  #forgetExport = () => {}
  #isSending = false
  #isFailing = false

  constructor(parts: OtlpExporterParts) {
    this.#parts = parts
    this.#exportOn()
  }

  /** Ends a request under way as well. */
  async close(): Promise<void> {
    this.#forgetExport()
    await this.#http.close()
  }

  #exportOn(): void {
    this.#forgetExport = this.#parts.clock.schedule(this.#parts.config.everyMs, () => {
      void this.#export()
      this.#exportOn()
    })
  }

  async #export(): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    const why = await this.#send()
    this.#isSending = false
    const { log } = this.#parts
    if (why !== undefined && !this.#isFailing)
      log.warn({ why }, 'the collector of metrics takes nothing; it is tried again')
    this.#isFailing = why !== undefined
  }

  /** A sentence where it was not taken. */
  async #send(): Promise<string | undefined> {
    const { config, headers, body } = this.#parts
    try {
      const { status } = await this.#http.post(
        config.url,
        { ...headers, 'content-type': 'application/json' },
        await body(),
      )
      return status >= 200 && status < 300 ? undefined : `HTTP ${status}`
    } catch (error) {
      return this.#redacted(error instanceof Error ? error.message : String(error))
    }
  }

  /** A library may put what it was given into its error. */
  #redacted(text: string): string {
    return Object.values(this.#parts.headers).reduce(
      (rest, value) => rest.replaceAll(value, '[redacted]'),
      text,
    )
  }
}
