import { onTestFinished } from 'vitest'
import type { Kline } from '../../../src/domain/market-data/kline.ts'
import { createSystemClock } from '../../../src/exchange/clock/system-clock.ts'
import { createExchangeClient } from '../../../src/exchange/exchange-client.ts'
import type { DialectName } from '../../../src/simulator/dialects/dialects.ts'
import { startExchangeServer } from '../../../src/simulator/server/exchange-server.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'

/** The exchange's time when a test begins, ms UTC. */
export const NOW = Date.UTC(2024, 1, 3, 12, 30, 30)

/** A simulated exchange over HTTP, with a history that crosses into February 2024; gone after the test. */
export async function klineExchange({
  historyKlines = 10_000,
  delayMs = 0,
  dialect,
}: {
  readonly historyKlines?: number
  readonly delayMs?: number
  readonly dialect?: DialectName
} = {}) {
  const system = createSystemClock()
  const shift = NOW - system.now()
  const clock = { now: () => system.now() + shift, schedule: system.schedule }
  const exchange = createSimulatedExchange({
    seed: 5,
    ...(dialect !== undefined && { dialect }),
    listings: [{ symbol: 'BTC/USDT', market: { type: 'generated', historyKlines } }],
    faults: delayMs === 0 ? [] : [{ fault: 'delay', endpoint: 'spotKlines', delayMs }],
  })
  const server = await startExchangeServer({ exchange, clock })
  onTestFinished(() => server.close())
  return server
}

/** What an exchange has, asked for without the store. */
export async function klinesAt(spotUrl: string, from: number, to: number): Promise<readonly Kline[]> {
  const client = createExchangeClient({ spotUrl, clock: createSystemClock() })
  try {
    return await Array.fromAsync(
      client.spot.allKlines({ symbol: 'BTC/USDT', interval: '1m', from, to: to - 1 }),
    )
  } finally {
    await client.close()
  }
}
