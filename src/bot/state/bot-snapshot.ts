import { z } from 'zod'
import { ENGINE_STATE_VERSION, type EngineState } from '../../engine/engine-state.ts'
import type { SentRequestsState } from '../../execution/sent-requests.ts'
import type { JournalSnapshot } from '../../journal/journal-entry.ts'
import { JournalError } from '../../journal/journal-error.ts'
import type { DayStartState } from './day-start.ts'
import type { OutsideClosesState } from './outside-closes.ts'
import type { SessionRecord } from './session-record.ts'
import type { TripTotalsState } from './trip-totals.ts'

/** State needed to resume a bot, besides the klines that it has seen. */
export interface BotSnapshot {
  readonly session: SessionRecord
  readonly engine: EngineState
  /** Journals know the sent requests by this key. */
  readonly dispatches: SentRequestsState
  /** Absent of journals from before it was kept. */
  readonly dayStart?: DayStartState | undefined
  /** Absent of journals from before it was kept. */
  readonly roundTrips?: TripTotalsState | undefined
  /** Absent of journals from before it was kept. */
  readonly outside?: OutsideClosesState | undefined
}

const list = z.array(z.looseObject({}))
const amount = z.bigint()
const tracked = z.looseObject({
  order: z.looseObject({
    request: z.looseObject({ clientOrderId: z.string(), symbol: z.string(), quantity: z.number() }),
    status: z.string(),
    filledQuantity: z.number(),
  }),
  fills: z.array(z.string()),
})
const marketTrader = z.looseObject({
  book: z.string(),
  price: z.number().or(z.nan()),
  closingTries: z.number(),
  isClosingRefused: z.literal(true).optional(),
  unfinishedExits: list.optional(),
  closingReason: z.string().optional(),
  orderDesk: z.looseObject({ latest: z.looseObject({ orders: z.number() }) }),
  decisions: z.looseObject({ waiting: list }),
  brackets: list,
  lifetimes: list,
  groups: z.array(z.tuple([z.string(), z.string()])),
})
const strategyRunner = z.looseObject({
  strategy: z.string(),
  symbol: z.string(),
  book: z.string(),
  interval: z.string(),
  parameters: z.string(),
  roles: z.string(),
  time: z.number().or(z.nan()),
  klines: z.number(),
  failed: z.boolean(),
  starting: z.boolean(),
  memoryVersion: z.number(),
  feeds: z.array(z.looseObject({ name: z.string(), seen: z.number() })),
  timers: z.record(z.string(), z.number()),
  markets: z.array(marketTrader).min(1),
})
const snapshot = z.looseObject({
  session: z.looseObject({ bot: z.string(), strategies: list, instruments: list }),
  engine: z.looseObject({
    version: z.literal(ENGINE_STATE_VERSION),
    ledger: z.looseObject({
      orders: z.looseObject({
        recent: z.array(tracked),
        older: z.array(tracked),
        working: z.array(z.string()),
        finished: z.number(),
      }),
      accounts: z.array(
        z.looseObject({ account: z.string(), balances: z.array(z.tuple([z.string(), amount])) }),
      ),
      markets: z.array(z.looseObject({ symbol: z.string(), close: z.number().or(z.nan()) })),
      books: z.array(
        z.looseObject({ name: z.string(), symbol: z.string(), holding: z.looseObject({ dust: amount }) }),
      ),
      contracts: z.looseObject({ held: list, borne: z.array(z.tuple([z.string(), amount])) }),
    }),
    desks: z.array(strategyRunner),
  }),
  dispatches: z.looseObject({
    placed: z.array(z.looseObject({ clientOrderId: z.string(), timestamp: z.number() })),
    unwanted: z.array(z.looseObject({ clientOrderId: z.string() })),
    tradesSeen: z.array(z.tuple([z.string(), z.string()])),
  }),
  dayStart: z
    .looseObject({ day: z.number(), since: z.number(), equity: z.array(z.tuple([z.string(), amount])) })
    .optional(),
  roundTrips: z
    .looseObject({
      since: z.number(),
      sums: z.array(
        z.tuple([
          z.string(),
          z.looseObject({
            ...{ count: z.number(), won: z.number() },
            ...{ gained: amount, lost: amount, best: amount, worst: amount },
          }),
        ]),
      ),
      day: z.number().or(z.nan()),
      ofDay: z.array(
        z.tuple([z.string(), z.looseObject({ quote: z.string(), count: z.number(), pnl: amount })]),
      ),
    })
    .optional(),
  outside: z
    .looseObject({
      earlier: z.array(z.number()),
      closes: z.array(
        z.looseObject({
          ...{ symbol: z.string(), book: z.string(), direction: z.string(), by: z.string() },
          ...{ quantity: z.number(), worth: amount, pnl: amount, time: z.number() },
          instrument: z.looseObject({ symbol: z.string() }),
        }),
      ),
    })
    .optional(),
})

/** The state in a journal, checked for its version and shape: its content is covered by the hash. Throws `JournalError`. */
export function botSnapshotIn({ seq, state }: JournalSnapshot): BotSnapshot {
  const checked = snapshot.safeParse(state)
  if (checked.success) return state as BotSnapshot // what is inside the checked shape was written by `BotState.snapshot`
  const [issue] = checked.error.issues
  throw new JournalError(
    `The state that the journal keeps at entry ${seq} is not one that this Sluice wrote (${issue?.path.join('.')}: ${issue?.message}). Use the Sluice that wrote it, or begin a new journal once the account is flat.`,
  )
}
