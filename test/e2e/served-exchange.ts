import type { Clock } from '../../src/domain/clock.ts'
import { createSystemClock } from '../../src/exchange/clock/system-clock.ts'
import { startExchangeServer } from '../../src/simulator/server/exchange-server.ts'
import { createSimulatedExchange } from '../../src/simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, simulatorConfigOf } from '../../src/simulator/simulator-config.ts'
import { afterTest } from '../after-test.ts'

/** Serves a simulated exchange over HTTP from the process of the test, until its end; returns its URL. */
export async function servedExchange(input: SimulatorConfigInput, clock: Clock): Promise<string> {
  const { admin } = simulatorConfigOf(input)
  const server = await startExchangeServer({ exchange: createSimulatedExchange(input), clock, admin })
  afterTest(() => server.close())
  return server.url
}

/** One whose next minute ends `firstCloseMs` from now: a bot on it need not wait for long. Returns its URL and its clock. */
export async function shiftedExchange(firstCloseMs: number) {
  const system = createSystemClock()
  const startedAt = system.now()
  const shift = 60_000 - firstCloseMs - (startedAt % 60_000)
  const clock: Clock = { now: () => system.now() + shift, schedule: system.schedule }
  return { spotUrl: await servedExchange({ seed: 7 }, clock), clock }
}
