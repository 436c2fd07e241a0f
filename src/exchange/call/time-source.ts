import { UsageError } from '../../domain/sluice-error.ts'
import type { ServerClock } from '../clock/server-clock.ts'
import type { TimeSample } from '../clock/server-clock-estimate.ts'
import { weightOf } from '../endpoints/endpoint.ts'
import type { ENDPOINTS } from '../endpoints.ts'
import { isNotOffered } from '../errors/call-not-offered-error.ts'
import { type AttemptSettings, attemptCall } from './call-attempt.ts'

/** A call that answers with the time of its host. */
type TimeRow = (typeof ENDPOINTS)['spotTime' | 'futuresTime']

type SampleSettings = AttemptSettings & {
  readonly serverClock: Pick<ServerClock, 'now'>
  readonly maxWaitMs: number
}

const NO_CLOCK =
  'By its profile no host of the exchange tells the time, which every signed call needs; take spotTime or futuresTime out of "lacks".'

/** The exchange's time: that of the first of its hosts that tells it. */
export class TimeSource {
  readonly #rows: readonly TimeRow[]
  #used = 0

  /** `rows`: the calls to try, in this order. */
  constructor(rows: readonly TimeRow[]) {
    this.#rows = rows
  }

  /**
   * Takes one sample, in the most urgent lane, because signed calls wait for it. A host that does not know the call
   * is not asked again; the error of the last one stays.
   */
  async sample(settings: SampleSettings): Promise<TimeSample> {
    for (;;) {
      const row = this.#rows[this.#used]
      if (row === undefined) throw new UsageError(NO_CLOCK)
      try {
        return await sampleOf(row, settings)
      } catch (error) {
        if (!isNotOffered(error) || this.#used === this.#rows.length - 1) throw error
        this.#used += 1
      }
    }
  }
}

async function sampleOf(endpoint: TimeRow, settings: SampleSettings): Promise<TimeSample> {
  const entry = {
    endpoint,
    weight: weightOf(endpoint, {}),
    lane: 'reconciliation',
    maxWaitMs: settings.maxWaitMs,
    signal: undefined,
  } as const
  const { value, sentAt, receivedAt } = await attemptCall(entry, {}, () => settings.clock.now(), settings)
  return { sentAt, receivedAt, serverTime: value.serverTime }
}
