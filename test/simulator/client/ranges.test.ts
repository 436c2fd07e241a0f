import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { VirtualClock } from '../../../src/bot/clock/virtual-clock.ts'
import type { CallLimits } from '../../../src/exchange/budget/call-limits.ts'
import { createExchangeClient } from '../../../src/exchange/exchange-client.ts'
import { createSimulatedExchange } from '../../../src/simulator/simulated-exchange.ts'
import { type SimulatorConfigInput, TEST_ACCOUNT } from '../../../src/simulator/simulator-config.ts'
import { entriesArbitrary, losesArbitrary } from '../../exchange/ranges/entries.ts'
import { allOf, type Entry, historyWorld, type Loses, NOW } from '../../exchange/ranges/history-server.ts'
import { wireKline } from '../../exchange/ranges/wire-entries.ts'
import { inProcessTransport } from '../../in-process-transport.ts'
import { FuturesCaller, ROUND_CONTRACT } from '../futures/futures-caller.ts'
import { propertyRuns } from '../property-runs.ts'
import { type ClientWorld, settled } from './client-world.ts'
import { LIST_RANGES, type ListRange } from './list-range.ts'

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000]
const OPENING = NOW - 172 * DAY

const limits: Partial<CallLimits> = {
  ...{ ipWeightPerMinute: Number.POSITIVE_INFINITY, uidWeightPerMinute: Number.POSITIVE_INFINITY },
  perEndpoint: false,
}

/** An account rich enough for any number of entries, on a market that stands still at 100. */
const RICH: SimulatorConfigInput = {
  listings: [
    {
      symbol: 'BTC/USDT',
      market: {
        type: 'klines',
        klines: [{ openTime: OPENING, open: 100, high: 100, low: 100, close: 100, volume: 4 }],
      },
    },
  ],
  accounts: [
    {
      ...TEST_ACCOUNT,
      balances: { USDT: '1000000000', BTC: '1000000' },
      marginBalances: { BTC: '1000000' },
      futuresBalances: { USDT: '1000000' },
    },
  ],
  futures: { contracts: [ROUND_CONTRACT], leverage: 10, keptRecords: 100_000 },
  limits: { areEnforced: false },
  keptRecords: 100_000,
}

function worldOf(exchange: ReturnType<typeof createSimulatedExchange>): ClientWorld {
  const clock = new VirtualClock(NOW)
  const client = createExchangeClient({
    ...{ spotUrl: 'https://spot.test', futuresUrl: 'https://futures.test', clock, limits },
    ...{ apiKey: TEST_ACCOUNT.apiKey, apiSecret: TEST_ACCOUNT.apiSecret },
    ...{ timeOffset: () => 0, random: () => 0.5, transport: inProcessTransport(exchange, clock) },
  })
  return { client, clock, exchange, arrivals: [], close: async () => undefined }
}

/** Which calls of an endpoint are lost, counted from 1; never three in a row. */
function lostCalls(loses: Loses): number[] {
  return Array.from({ length: 500 }, (_, call) => call)
    .filter(call => loses(call) && !loses(call - 2))
    .map(call => call + 1)
}

/** The ids of everything that was entered, and what a range over it yields. */
async function readSimulated(range: ListRange, entries: readonly Entry[], loses: Loses) {
  const exchange = createSimulatedExchange(RICH)
  exchange.advance(OPENING)
  const caller = new FuturesCaller(exchange)
  entries.forEach(({ time }, index) => {
    caller.now = time
    range.enter(caller, index)
  })
  const lost = lostCalls(loses)
  const odd = lost.filter(call => call % 2 === 1)
  const even = lost.filter(call => call % 2 === 0)
  const { endpoint } = range
  if (odd.length > 0)
    exchange.stage({ type: 'setFault', time: NOW, rule: { fault: 'dropAfter', endpoint, calls: odd } })
  if (even.length > 0)
    exchange.stage({
      ...{ type: 'setFault', time: NOW },
      rule: { fault: 'serverError', status: 502, endpoint, calls: even },
    })
  const world = worldOf(exchange)
  return settled(world, allOf(range.read(world.client)))
}

type Item = Readonly<Record<string, unknown>>

/** When an item happened. */
function timeOf(item: Item): unknown {
  return item.time ?? item.createdTime
}

/** The scripted server reads ids as doubles. */
const few = entriesArbitrary(60).map(entries =>
  entries.slice(0, 400).map(({ time }, index) => ({ time, id: BigInt(3 * index + 1) })),
)

/** More than any answer has, one in three hours. */
const MANY: readonly Entry[] = Array.from({ length: 1100 }, (_, index) => ({
  id: BigInt(index + 1),
  time: NOW - (1100 - index) * 3 * HOUR,
}))

describe.each(LIST_RANGES.map(range => [range.name, range] as const))('%s', (_name, range) => {
  const { numRuns, timeout } = propertyRuns(6)

  it('yields every entry once, oldest first, whatever is lost on the way, on a scripted exchange', {
    timeout,
  }, async () => {
    const property = fc.asyncProperty(few, losesArbitrary, async (entries, loses) => {
      const { client } = historyWorld(query => range.serve(entries, query), loses)
      const items = (await allOf(range.read(client))) as readonly Item[] // records of every kind
      expect(items.map(item => item[range.id])).toEqual(entries.map(({ id }) => String(id)))
      expect(items.map(timeOf)).toEqual(entries.map(({ time }) => time))
    })
    await fc.assert(property, { numRuns })
  })

  it('does so on the simulated one', { timeout }, async () => {
    const property = fc.asyncProperty(few, losesArbitrary, async (entries, loses) => {
      const items = (await readSimulated(range, entries, loses)) as readonly Item[] // records of every kind
      expect(items.map(timeOf)).toEqual(entries.map(({ time }) => time))
      expect(new Set(items.map(item => item[range.id])).size).toBe(entries.length)
    })
    await fc.assert(property, { numRuns })
  })

  it.each([
    ['a scripted', async () => allOf(range.read(historyWorld(query => range.serve(MANY, query)).client))],
    ['the simulated', async () => readSimulated(range, MANY, () => false)],
  ])('reads all pages of a long list on %s exchange', { timeout }, async (_kind, read) => {
    const items = (await read()) as readonly Item[] // records of every kind
    expect(items.map(timeOf)).toEqual(MANY.map(({ time }) => time))
  })
})

describe('the ranges of klines', () => {
  const COUNT = 1000
  const last = NOW - (NOW % MINUTE)
  const times = Array.from({ length: COUNT }, (_, index) => last - (COUNT - 1 - index) * MINUTE)
  const range = { interval: '1m', from: times[0] ?? 0, to: last } as const

  const serve = ({ startTime, endTime, limit }: Readonly<Record<string, unknown>>) =>
    times
      .filter(time => startTime === undefined || (time >= Number(startTime) && time <= Number(endTime)))
      .slice(-Number(limit))
      .toReversed()
      .map(wireKline)

  const simulated = () => {
    const exchange = createSimulatedExchange({
      listings: [{ symbol: 'BTC/USDT', market: { type: 'generated', historyKlines: COUNT } }],
      futures: { contracts: [ROUND_CONTRACT] },
    })
    exchange.advance(NOW)
    return worldOf(exchange).client
  }

  it.each([
    ['scripted', () => historyWorld(serve).client],
    ['simulated', simulated],
  ])('yield a thousand of them once, oldest first, on an exchange that is %s', async (_kind, open) => {
    const client = open()
    const spot = await allOf(client.spot.allKlines({ symbol: 'BTC/USDT', ...range }))
    expect(spot.map(({ openTime }) => openTime)).toEqual(times)
    const futures = await allOf(client.futures.allKlines({ contractName: 'E-BTC-USDT', ...range }))
    expect(futures.map(({ openTime }) => openTime)).toEqual(times)
  })
})
