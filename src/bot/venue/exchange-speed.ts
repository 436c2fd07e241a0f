import type { Clock } from '../../domain/clock.ts'
import { UsageError } from '../../domain/sluice-error.ts'
import type { ServerClockState } from '../../exchange/clock/server-clock.ts'

/** Observation time of the exchange's clock, ms. */
const WATCHED_MS = 250
/** A clock that runs off by more than this fraction of real time is no real one; quartz keeps within 0.0001. */
const LARGEST_DRIFT = 0.1

/** The exchange's time does not pass as real time does. */
export class ExchangeSpeedError extends UsageError {
  /** Result, as a sentence. */
  readonly found: string
  /** Remedy, as a sentence. */
  readonly advice: string

  constructor(url: string, speed: number) {
    const shown = speed >= 10 ? Math.round(speed) : Math.round(speed * 100) / 100
    const found =
      speed < LARGEST_DRIFT
        ? `The time of the exchange at ${url} stands still.`
        : `The time of the exchange at ${url} passes ${shown} times as fast as real time.`
    const advice = `A bot follows an exchange in another process in real time: start that one without --speed and --manual-time, or let the bot open an exchange of its own by "venue: { type: simulated, speed: ${Math.max(1, Math.round(speed))} }".`
    super(`${found} ${advice}`)
    this.found = found
    this.advice = advice
  }
}

/** An exchange's time, as its client measures it. */
interface MeasuredTime {
  synchronise(): Promise<void>
  state(): { readonly clock: ServerClockState }
}

/** Rejects with `ExchangeSpeedError` where the exchange's time does not pass as real time does; the client has measured it once. */
export async function checkSpeed(client: MeasuredTime, clock: Clock, url: string): Promise<void> {
  const [first, from] = [client.state().clock, clock.now()]
  await new Promise<void>(resolve => clock.schedule(WATCHED_MS, resolve))
  await client.synchronise()
  const [second, until] = [client.state().clock, clock.now()]
  const passed = until - (second.ageMs ?? 0) - (from - (first.ageMs ?? 0))
  const ahead = second.offsetMs - first.offsetMs
  const unsure = first.uncertaintyMs + second.uncertaintyMs
  if (Math.abs(ahead) > unsure + LARGEST_DRIFT * passed)
    throw new ExchangeSpeedError(url, Math.max(0, 1 + ahead / passed))
}
