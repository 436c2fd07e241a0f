/** A process that serves a simulated exchange whose next minute ends `argv[2]` ms after its start: a bot on it need not wait for long. */

import { openTimeOf } from '../../src/domain/market-data/interval.ts'
import { createSystemClock } from '../../src/exchange/clock/system-clock.ts'
import { startExchangeServer } from '../../src/simulator/server/exchange-server.ts'
import { createSimulatedExchange } from '../../src/simulator/simulated-exchange.ts'

const system = createSystemClock()
const startedAt = system.now()
const shift = openTimeOf(startedAt, '1m') + 60_000 - Number(process.argv[2]) - startedAt
const clock = { now: () => system.now() + shift, schedule: system.schedule }
const server = await startExchangeServer({ exchange: createSimulatedExchange({ seed: 7 }), clock })
process.stdout.write(`${JSON.stringify({ spotUrl: server.url, shift })}\n`)
