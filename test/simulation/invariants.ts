import type { LoadStrategy } from '../../src/bot/state/bot-state.ts'
import { BotState } from '../../src/bot/state/bot-state.ts'
import { replayJournal } from '../../src/bot/state/replay-journal.ts'
import { restoreState } from '../../src/bot/state/restore-state.ts'
import type { EngineEvent } from '../../src/domain/events/engine-event.ts'
import type { EngineOutput } from '../../src/domain/events/engine-output.ts'
import { closeTimeOf } from '../../src/domain/market-data/interval.ts'
import { priceOf, quantityOf } from '../../src/domain/numbers/grid.ts'
import { JournalReader } from '../../src/journal/journal-reader.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { Strategy } from '../../src/strategy/index.ts'
import { wrongAtRest } from './invariants/invariants.ts'
import { type Past, pastOf } from './invariants/past.ts'
import type { Rest, Violation } from './invariants/scene.ts'
import { SUSPICIOUS, suspicionsIn } from './seeds/account-violations.ts'
import type { BotWorld } from './world/bot-world.ts'
import { futuresAccountOf } from './world/futures-world.ts'

/** Messages of the log that must not be there either. */
const OF_SPOT = [
  'balance adopted from the exchange',
  'foreign trade on the account',
  'late order canceled',
  'left with unconfirmed orders',
]

/** What the ids of orders begin with that somebody else places. */
export const OTHERS_PREFIX = 'somebody-else'

/** Everything that is wrong between a bot that has left and its exchange, in words; nothing, if all is well. */
export async function violations(world: BotWorld, strategy: Strategy): Promise<readonly string[]> {
  const wrong = await violationsAtRest(world, async () => strategy)
  return [
    ...world.failures.map(failure => `a bot failed: ${String(failure)}`),
    ...suspicionsIn(world, [...OF_SPOT, ...SUSPICIOUS]),
    ...wrong.map(({ problem }) => problem),
  ]
}

/** What is wrong between the journal of a bot that has left, and its exchange; without a past, changes of protection are not known. */
export async function violationsAtRest(
  world: BotWorld,
  load: LoadStrategy,
  past?: Past,
  {
    isPunctual = true,
    knownUntil,
    forgotten,
    hasRealKlines = true,
  }: Partial<Pick<Rest, 'isPunctual' | 'knownUntil' | 'forgotten'>> & {
    readonly hasRealKlines?: boolean
  } = {},
): Promise<readonly Violation[]> {
  const state = new BotState(load)
  await restoreState(world.journalPath, state)
  forgetUnplaced(state.engine.ledger)
  const rest: Rest = {
    hidesTransactions: world.hidesTransactions,
    ledger: state.engine.ledger,
    isPunctual,
    knownUntil,
    forgotten,
    past: past ?? pastOf(state.engine.ledger),
    user: world.user,
    futures: futuresAccountOf(world),
    instruments: state.session?.instruments ?? [],
    othersPrefix: OTHERS_PREFIX,
    ...(hasRealKlines && { klinesOf: closedKlines(world) }),
    ...told(world.journalPath),
    requests: world.exchange
      .eventsAfter(0, Number.POSITIVE_INFINITY)
      .filter(({ type }) => type === 'request'),
  }
  const different = await differentReplay(world.journalPath, load)
  return [...wrongAtRest(rest), ...different.map(problem => ({ problem, about: 'journal' }))]
}

/** The klines that the exchange of a world has closed. */
function closedKlines({ exchange, clock, marketOf }: BotWorld): NonNullable<Rest['klinesOf']> {
  return function* (symbol, interval) {
    const { name } = marketOf(symbol)
    const pair = exchange.state.markets.find(({ instrument }) => instrument.symbol === name)
    const contract = exchange.futures.contracts.find(listed => listed.contract.name === name)
    const grid = pair?.instrument ?? contract?.contract
    if (grid === undefined) return
    const now = clock.now()
    for (const { openTime, ...kline } of (pair ?? contract)?.klines(interval, now) ?? [])
      if (closeTimeOf(openTime, interval) <= now)
        yield {
          openTime,
          open: priceOf(grid, kline.open),
          high: priceOf(grid, kline.high),
          low: priceOf(grid, kline.low),
          close: priceOf(grid, kline.close),
          volume: pair === undefined ? Number.NaN : quantityOf(grid, kline.volume),
        }
  }
}

/** What a bot that was leaving did not place any more never left: the next start gives it up. */
function forgetUnplaced({ orders }: Ledger): void {
  for (const { request, status } of [...orders.working])
    if (status === 'pending' && request.protects === undefined)
      orders.update(request.clientOrderId, 'notPlaced')
}

/** What a journal tells of everything that happened; nothing where it has dropped some. */
export function told(path: string): Pick<Rest, 'roundTrips' | 'events'> {
  const reader = new JournalReader(path)
  try {
    const entries = [...reader.entries()]
    if (entries[0]?.seq !== 1) return { roundTrips: undefined }
    // What `RecordedEngine` wrote.
    const outputs = entries.flatMap(({ decisions }) => (decisions ?? []) as readonly EngineOutput[])
    const events = entries.flatMap(({ kind, body }) => (kind === 'event' ? [body as EngineEvent] : []))
    return {
      roundTrips: outputs.flatMap(output => (output.type === 'roundTripClosed' ? [output.roundTrip] : [])),
      events,
    }
  } finally {
    reader.close()
  }
}

/** The journal holds, and leads to the same decisions again. */
async function differentReplay(path: string, load: LoadStrategy): Promise<readonly string[]> {
  const reader = new JournalReader(path)
  try {
    const check = reader.verify()
    if (!check.holds) return [`the journal is damaged: ${check.problem}`]
    const { difference } = await replayJournal(reader, load)
    return difference === undefined
      ? []
      : [`entry ${difference.seq} replays differently: ${difference.recorded} / ${difference.again}`]
  } finally {
    reader.close()
  }
}
