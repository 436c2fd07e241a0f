import { describe, expect, it, vi } from 'vitest'
import { BotState } from '../../../src/bot/state/bot-state.ts'
import { RecordedEngine } from '../../../src/bot/state/recorded-engine.ts'
import { amountOf } from '../../../src/domain/numbers/amount.ts'
import { SentRequests } from '../../../src/execution/sent-requests.ts'
import { Journal, type JournalWriter } from '../../../src/journal/journal.ts'
import { JournalReader } from '../../../src/journal/journal-reader.ts'
import { defineStrategy, enterLong, type Strategy } from '../../../src/strategy/index.ts'
import { SPOT_BTC } from '../../domain/instruments.ts'
import { journalPath } from '../../journal/journal-session.ts'

const START = Date.UTC(2026, 0, 1)
const MINUTE = 60_000
const { symbol } = SPOT_BTC
/** Events after which a state would be kept, or else the past is forgotten. */
const SNAPSHOT_ENTRIES = 20

/** Enters on every kline; its state is plain data, or not. */
const entering = (memory: object): Strategy =>
  defineStrategy({
    name: 'entering',
    state: () => memory,
    onKline: () => enterLong({ scaleIn: true }),
  })

/** A bot's state that is fed klines and cancels every order that it places. */
class Course {
  readonly state: BotState
  readonly ids: string[] = []
  readonly complaints: string[] = []
  readonly #recorded: RecordedEngine
  #time = START

  private constructor(state: BotState, journal: JournalWriter | undefined) {
    this.state = state
    this.#recorded = new RecordedEngine({
      state,
      journal,
      snapshotEntries: SNAPSHOT_ENTRIES,
      keptAt: 0,
      serverNow: () => this.#time,
      onNoSnapshot: why => this.complaints.push(why),
    })
  }

  static async begin(strategy: Strategy, journal?: JournalWriter): Promise<Course> {
    const state = new BotState(async () => strategy)
    await state.begin({
      bot: 'course',
      strategies: [{ file: '', parameters: {}, symbol, interval: '1m', size: { quote: 100 } }],
      instruments: [SPOT_BTC],
      balances: new Map([['USDT', amountOf('100000')]]),
      continues: false,
    })
    return new Course(state, journal)
  }

  /** Klines that have been seen and not been forgotten. */
  get klines(): number {
    return [...this.state.klines.of(symbol, '1m')].length
  }

  /** Placements that have left and not been forgotten. */
  get placed(): number {
    return this.ids.filter(id => this.state.sentRequests.placed(id).length > 0).length
  }

  step(klines: number): void {
    for (let count = 0; count < klines; count++) {
      const openTime = this.#time
      this.#time += MINUTE
      const kline = { openTime, open: 100, high: 101, low: 99, close: 100, volume: 1 }
      this.#take(this.#recorded.process({ type: 'klineClosed', symbol, interval: '1m', kline }))
      this.#recorded.keepIfDue()
    }
  }

  #take(outputs: ReturnType<RecordedEngine['process']>): void {
    for (const output of outputs) {
      if (output.type !== 'placeOrder') continue
      const { clientOrderId } = output.request
      const time = this.#time
      this.ids.push(clientOrderId)
      this.#recorded.process({ type: 'orderUpdated', clientOrderId, event: 'submitted', time })
      void this.#recorded.recordSend({
        action: 'place',
        clientOrderId,
        symbol,
        timestamp: time,
        recvWindowMs: 5000,
      })
      if (this.ids.length > 1)
        this.#recorded.process({ type: 'orderUpdated', clientOrderId, event: 'rejected', time })
    }
  }
}

describe('what a running bot remembers for a restart', () => {
  it('stays small where there is no journal', async () => {
    const course = await Course.begin(entering({}))
    course.step(1000)
    expect(course.ids.length).toBe(1000)
    // The first of them still works.
    expect(course.state.sentRequests.placed(course.ids[0] ?? '')).toHaveLength(1)
    expect(course.placed).toBeLessThanOrEqual(1 + SNAPSHOT_ENTRIES)
    expect(course.klines).toBe(0)
  })

  const circle: Record<string, unknown> = {}
  circle.itself = circle
  it.each([
    ['has a function', { act: () => 1 }],
    ['refers to itself', circle],
    ['has a list with holes', { closes: new Array(20) }],
  ])('stays small where the state of a strategy %s, which no journal can keep', async (_what, memory) => {
    const journal = new Journal(journalPath())
    const course = await Course.begin(entering(memory), journal)
    course.step(200)
    journal.close()
    expect(course.complaints).toEqual([expect.stringContaining('is more than plain data')])
    expect(course.placed).toBeLessThanOrEqual(1 + SNAPSHOT_ENTRIES)
    expect(course.klines).toBeLessThanOrEqual(SNAPSHOT_ENTRIES)
  })
})

describe('a refusal of an order', () => {
  it('is on the disk before anything says it, so that a restart does not doubt it', async () => {
    const path = journalPath()
    const journal = new Journal(path)
    const course = await Course.begin(entering({}), journal)
    course.step(2)
    const reader = new JournalReader(path)
    const refused = [...reader.entries({ after: 0 })].filter(
      ({ kind, body }) => kind === 'event' && (body as { event?: string }).event === 'rejected',
    )
    reader.close()
    expect(refused).toHaveLength(1)
    journal.close()
  })
})

describe('requests that are about to leave', () => {
  it('share the commit of the first, and one that is noted later commits again', () => {
    const journal = new Journal(journalPath())
    const commit = vi.spyOn(journal, 'commit')
    const recorded = new RecordedEngine({
      // All of the state that departures need.
      state: { sentRequests: new SentRequests() } as unknown as BotState,
      journal,
      snapshotEntries: 1000,
      keptAt: 0,
      serverNow: () => START,
      onNoSnapshot: () => undefined,
    })
    const leave = (clientOrderId: string) =>
      recorded.recordSend({ action: 'place', clientOrderId, symbol, timestamp: START, recvWindowMs: 5000 })
    const burst = Array.from({ length: 50 }, (_, index) => leave(`${index}`))
    expect(commit).not.toHaveBeenCalled()
    for (const beforeSend of burst) beforeSend?.()
    expect(commit).toHaveBeenCalledTimes(1)
    leave('later')?.()
    expect(commit).toHaveBeenCalledTimes(2)
    journal.close()
  })
})
