import type { BotState, LoadStrategy } from '../../../src/bot/state/bot-state.ts'
import { bookNames } from '../../../src/domain/book-names.ts'
import type { EngineEvent } from '../../../src/domain/events/engine-event.ts'
import type { EngineOutput } from '../../../src/domain/events/engine-output.ts'
import type { Instrument } from '../../../src/domain/instrument.ts'
import { seededRandom } from '../../../src/domain/numbers/seeded-random.ts'
import { InvariantError, UsageError } from '../../../src/domain/sluice-error.ts'
import type { SentRequest, SentRequests, TradesSeen } from '../../../src/execution/sent-requests.ts'
import type { JournalEntry } from '../../../src/journal/journal-entry.ts'
import { JournalError } from '../../../src/journal/journal-error.ts'
import { journalText } from '../../../src/journal/journal-text.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { DialectName } from '../../../src/simulator/dialects/dialects.ts'
import { MINUTE } from '../../simulator/exchange-caller.ts'
import { hasFinerTrades } from '../invariants/finer-trades.ts'
import { wrongAfter } from '../invariants/invariants.ts'
import { lotsOf } from '../invariants/money/held-lots.ts'
import { leavesRightly } from '../invariants/orders/leaves-rightly.ts'
import { othersAreGone, othersAreLeft } from '../invariants/orders/others-orders.ts'
import { NO_PAST, type Past, pastAfter, pastAfterStart, pastAfterTrades } from '../invariants/past.ts'
import { ProtectionTrades } from '../invariants/protection/protection-trades.ts'
import type { GivenRisk, Violation } from '../invariants/scene.ts'
import { OTHERS_PREFIX, violationsAtRest } from '../invariants.ts'
import { planOf } from '../plan/seed-plan.ts'
import type { PlanKind, SeedPlan } from '../plan/simulation-plan.ts'
import { Story } from '../plan/story.ts'
import { BotWorld, type WorldWatcher } from '../world/bot-world.ts'
import { futuresAccountOf } from '../world/futures-world.ts'
import { lastPricesOf } from '../world/last-prices.ts'
import type { OthersDeed } from '../world/others-deeds.ts'
import { RandomPassages } from '../world/random-passages.ts'
import { SomebodyElse } from '../world/somebody-else.ts'
import { Hindsight } from './hindsight.ts'
import { Shadow } from './shadow.ts'

/** What came of a seed. */
export interface SeedResult {
  readonly seed: number
  readonly kind: PlanKind
  readonly dialect: DialectName
  /** The first thing that must not be; `undefined` if all is well. */
  readonly violation: Violation | undefined
  /** What happened to the order or instrument that the violation is about. */
  readonly story: readonly string[]
  /** Everything that happened. */
  readonly everything: () => readonly string[]
  /** Digest of everything that happened. */
  readonly digest: string
  /** Events, requests, answers. */
  readonly steps: number
  readonly orders: number
  readonly fills: number
  readonly lives: number
  /** ms of virtual time. */
  readonly simulatedMs: number
}

/** Between two looks of the run at what was found. */
const STRIDE_MS = 5000
/** How long after the trouble a call that began in it may still fail. */
const ECHO_MS = 10_000

/** How long a bot has in peace before it leaves: longer than a ban or a start that was waited for. */
const PEACE_MS = 2 * MINUTE
/** For so long a client may still keep quiet because of a refusal. */
const AFTERMATH_MS = 75_000
const LEAVING_MS = 70_000
/** Two looks at an account, by which whatever the exchange did to it is known. */
const LOOKS_MS = 45_000

/** Plays a seed to its quiet end, or to the first thing that must not be. */
export async function playSeed(seed: number, plan = planOf(seed)): Promise<SeedResult> {
  const run = new SeedRun(seed, plan)
  try {
    return await run.play()
  } finally {
    run.remove()
  }
}

/** A bot does not trade what others hold, or have orders of, on other terms. */
function isRefusedForGood(failure: unknown): boolean {
  const reasons = ['The account holds', 'The exchange refuses to set']
  return failure instanceof UsageError && reasons.some(reason => failure.message.startsWith(reason))
}

/** A bot that goes on knows up to where it has looked at own trades. */
function tradesForgotten(
  { tradesSeen }: Past,
  sentRequests: Pick<SentRequests, 'lastTradeOf'>,
): readonly Violation[] {
  return [...tradesSeen].flatMap(([about, tradeId]) => {
    const known = sentRequests.lastTradeOf(about)
    if (known === tradeId) return []
    return [
      { problem: `own trades of ${about} were seen up to ${tradeId}, the bot goes on from ${known}`, about },
    ]
  })
}

class SeedRun {
  readonly #seed: number
  readonly #plan: SeedPlan
  readonly #world: BotWorld
  readonly #story = new Story()
  readonly #random: () => number
  readonly #passages: RandomPassages
  readonly #load: LoadStrategy
  readonly #risk: GivenRisk
  #hindsight = new Hindsight(NO_PAST)
  /** Ids of placements that have left. */
  readonly #sent = new Set<string>()
  /** Those of them that were sent by lives whose journal is lost. */
  #forgotten: ReadonlySet<string> = new Set()
  #shadow: Shadow | undefined
  #violation: Violation | undefined
  #isTroubled = true
  #hasTraded = false
  /** No bot may go on with this journal any more. */
  #isRefused = false
  readonly #watched = new ProtectionTrades()
  #ledger: Ledger | undefined
  /** As the bot counts them. */
  #instruments: readonly Instrument[] = []
  #failures = 0

  constructor(seed: number, plan: SeedPlan) {
    this.#seed = seed
    this.#plan = plan
    this.#random = seededRandom(seed ^ 0x5eed).uniform
    this.#passages = new RandomPassages(plan, this.#random)
    const { traded, risk } = this.#plan
    this.#load = async file => {
      const strategy = traded[Number(file)]?.strategy
      if (strategy === undefined) throw new Error(`No strategy has the file ${file}.`)
      return strategy
    }
    const books = bookNames(traded)
    const ofStrategies = traded.map(({ risk: own = {} }, index) => [books[index] ?? '', own] as const)
    this.#risk = { account: risk, strategies: new Map(ofStrategies) }
    const [first] = traded
    if (first === undefined) throw new Error('A seed trades something.')
    this.#world = new BotWorld({
      ...this.#plan,
      ...{ klines: [], strategy: first.strategy },
      passageOf: () => (this.#isTroubled ? this.#passages.next() : undefined),
      random: seededRandom(seed ^ 0x717).uniform,
      watcher: this.#watcher(),
    })
    this.#world.killsAt = () => this.#isTroubled && this.#random() < this.#plan.deathRate
  }

  async play(): Promise<SeedResult> {
    const { startAt, troubleUntil, others, commands, losesJournalAt } = this.#plan
    const { marginMode = 'cross' } = this.#plan.accounts.futures ?? {}
    const somebodyElse = new SomebodyElse(this.#world, marginMode, (text: string) => this.#tell(text, true))
    for (const deed of others)
      this.#world.clock.schedule(deed.at - startAt, () => {
        if (this.#isDeclared(deed)) somebodyElse.act(deed)
      })
    for (const { at, request } of commands) {
      this.#world.clock.schedule(at - startAt, () => {
        this.#tell(`the operator commands ${request.command} ${request.symbol ?? ''}`, true)
        this.#world.operate(request)
      })
    }
    if (losesJournalAt !== undefined)
      this.#world.clock.schedule(losesJournalAt - startAt, () => this.#world.loseJournal())
    this.#world.start()
    await this.#runUntil(troubleUntil)
    this.#isTroubled = false
    this.#world.exchange.stage({ type: 'liftFault', time: this.#world.clock.now() })
    this.#tell('peace begins', true)
    if (this.#violation === undefined) await this.#runUntil(troubleUntil + PEACE_MS)
    if (this.#violation === undefined && !this.#isRefused) await this.#end(somebodyElse)
    const histories = this.#histories
    return {
      seed: this.#seed,
      kind: this.#plan.kind,
      dialect: this.#plan.exchange.dialect ?? 'document',
      violation: this.#violation,
      story: this.#violation === undefined ? [] : this.#story.about(this.#violation.about),
      everything: () => this.#story.everything,
      digest: this.#story.digest,
      steps: this.#story.length,
      orders: histories.reduce((sum, { size }) => sum + size, 0),
      fills: histories.reduce((sum, history) => sum + [...history.trades()].length, 0),
      lives: this.#world.lives,
      simulatedMs: this.#world.clock.now() - startAt,
    }
  }

  /** What somebody does before the books of a margin account have begun makes its declaration wrong, which nobody could see. */
  #isDeclared({ symbol }: OthersDeed): boolean {
    this.#hasTraded ||= this.#world.isTrading
    return this.#hasTraded || this.#world.marketOf(symbol).account !== 'margin'
  }

  /** What the exchange has of each account. */
  get #histories() {
    const { user } = this.#world
    return [user.history, user.margin.history, futuresAccountOf(this.#world).records]
  }

  remove(): void {
    this.#world.remove()
  }

  async #runUntil(time: number): Promise<void> {
    const { clock } = this.#world
    while (clock.now() < time && this.#violation === undefined && !this.#isRefused) {
      await this.#world.run(Math.min(STRIDE_MS, time - clock.now()))
      this.#lookAtFailures()
      this.#lookAtProtection()
    }
  }

  /** Only while nothing goes wrong can anybody be expected to send at once what is due. */
  #lookAtProtection(): void {
    if (this.#world.clock.now() < this.#plan.troubleUntil + AFTERMATH_MS || this.#ledger === undefined) return
    if (!this.#world.isTrading) return
    const lastPrices = lastPricesOf(this.#world.exchange)
    const [wrong] = this.#watched.look(this.#ledger, lastPrices, this.#world.clock.now())
    if (wrong !== undefined && !this.#isBeyondBooks) this.#find(wrong)
  }

  /** A bot that ends for a reason outside is started again, as a supervisor does; one that contradicts itself is a find. */
  #lookAtFailures(): void {
    const { failures } = this.#world
    for (const failure of failures.slice(this.#failures)) {
      this.#tell(`the bot failed: ${failure}`, true)
      const isOurs = failure instanceof InvariantError || failure instanceof JournalError
      const mayBeTrouble = this.#world.clock.now() < this.#plan.troubleUntil + ECHO_MS
      if (isRefusedForGood(failure) && !mayBeTrouble) this.#isRefused = true
      else if (isOurs || !mayBeTrouble) this.#find({ problem: `a bot failed: ${failure}`, about: 'failed' })
      this.#world.kill('failed')
    }
    this.#failures = failures.length
  }

  async #end(somebodyElse: SomebodyElse): Promise<void> {
    if (!this.#world.isTrading)
      return this.#find({ problem: 'no bot runs although nothing is wrong', about: 'bot' })
    this.#findAny(othersAreGone(this.#accounts, this.#foreignOrders))
    await somebodyElse.leave()
    await this.#world.run(MINUTE)
    this.#lookAtFailures()
    const knownUntil = this.#world.clock.now() - LOOKS_MS
    const hasLeft = await this.#world.leave(LEAVING_MS)
    this.#lookAtFailures()
    if (!hasLeft && !this.#isBeyondBooks)
      this.#find({ problem: 'the bot did not leave in time', about: 'leave' })
    if (this.#plan.execution.onStop === 'flatten') this.#findAny(this.#stillHeld())
    for (const violation of await violationsAtRest(this.#world, this.#load, this.#hindsight.latest, {
      isPunctual: this.#passages.areUsual,
      knownUntil,
      forgotten: this.#forgotten,
      hasRealKlines: !this.#plan.exchange.faults?.some(({ fault }) => fault === 'oddPrices'),
    }))
      this.#find(violation)
    const orders = this.#histories.flatMap(({ orders }) => [...orders])
    for (const { id, clientOrderId, status, executedQuantity } of orders.toReversed())
      this.#tell(`at the exchange, order ${clientOrderId} (${id}) is ${status}, executed ${executedQuantity}`)
  }

  /** Whether something was traded that the bot cannot book: what waits for that order waits until somebody sees to it. */
  get #isBeyondBooks(): boolean {
    return hasFinerTrades(this.#accounts)
  }

  /** What the bot is to do about orders of others. */
  get #foreignOrders() {
    return this.#plan.execution.foreignOrders ?? 'leave'
  }

  /** What is true at the exchange. */
  get #accounts() {
    const [user, futures] = [this.#world.user, futuresAccountOf(this.#world)]
    const { forgotten, instruments } = { forgotten: this.#forgotten, instruments: this.#instruments }
    const { hidesTransactions } = this.#world
    return { user, futures, instruments, othersPrefix: OTHERS_PREFIX, forgotten, hidesTransactions }
  }

  /** Contracts that whoever leaves flat still holds, unless nobody can explain what there is of them. */
  #stillHeld(): readonly Violation[] {
    const ledger = this.#ledger
    const past = this.#hindsight.latest
    if (ledger === undefined) return []
    const there = futuresAccountOf(this.#world).positions()
    const contracts = lotsOf(ledger).filter(({ symbol, direction }) =>
      there.some(position => position.contract.name === symbol && position.direction === direction),
    )
    return contracts
      .filter(({ symbol }) => !past.heldBack.isHalted(symbol))
      .map(({ symbol, direction }) => ({ problem: `the bot left ${direction}, not flat`, about: symbol }))
  }

  #findAny([violation]: readonly Violation[]): void {
    if (violation !== undefined) this.#find(violation)
  }

  #find(violation: Violation): void {
    if (this.#violation !== undefined) return
    this.#violation = violation
    this.#tell(`VIOLATION ${violation.problem}`, true)
  }

  #tell(text: string, isTurn = false): void {
    this.#story.tell(this.#world.clock.now(), text, isTurn)
  }

  #watcher(): WorldWatcher {
    return {
      onStart: path => {
        this.#tell('a bot starts', true)
        this.#shadow = this.#shadowOf(path)
      },
      onEnd: cause => {
        this.#tell(`the bot ends (${cause})`, true)
      },
      onEntry: entry => {
        this.#tell(
          `journal ${entry.seq} ${entry.kind} ${journalText(entry.body)} → ${journalText(entry.decisions ?? [])}`,
        )
        this.#shadow?.take(entry)
      },
      onLoss: () => {
        this.#tell('the journal is lost', true)
        this.#forgotten = new Set(this.#sent)
        this.#hindsight = new Hindsight(NO_PAST)
      },
      onUnwritten: about => this.#find({ problem: `order ${about} leaves before it is on the disk`, about }),
      onRequest: ({ method, url, body }, number) => {
        const path = url.slice(url.indexOf('/', 8))
        this.#tell(`request ${number}: ${method} ${path} ${body}`)
        if (method === 'POST' && !/cancel/i.test(path)) this.#noteIds(body)
        this.#findAny(othersAreLeft(this.#accounts, this.#foreignOrders, { path, body }))
      },
      onAnswer: (_request, number, answer) =>
        this.#tell(
          `answer ${number}: ${typeof answer === 'string' ? answer : `${answer.status} ${answer.body}`}`,
        ),
    }
  }

  /** No life uses an id that one before it used, whether it knows of that or not. */
  #noteIds(body: string): void {
    for (const [, id = ''] of body.matchAll(/"(?:newClientOrderId|clientOrderId)":"([^"]+)"/g)) {
      if (this.#forgotten.has(id))
        this.#find({
          problem: `order ${id} has the id of an order from before the journal was lost`,
          about: id,
        })
      this.#sent.add(id)
    }
  }

  #shadowOf(path: string): Shadow {
    return new Shadow(
      path,
      this.#load,
      (state, entry, decisions) => this.#look(state, entry, decisions),
      problem => this.#find({ problem, about: 'journal' }),
    )
  }

  #noteTrades(seq: number, before: Past, { type, symbol = '', tradeId = '' }: Partial<TradesSeen>): void {
    if (type === 'tradesSeen') this.#hindsight.note(seq, pastAfterTrades(before, { type, symbol, tradeId }))
  }

  #look(
    { engine, session, sentRequests }: BotState,
    { seq, kind, body }: JournalEntry,
    decisions: readonly EngineOutput[],
  ): void {
    this.#ledger = engine.ledger
    this.#instruments = session?.instruments ?? []
    const before = this.#hindsight.before(seq)
    if (kind === 'session') {
      this.#findAny(tradesForgotten(before, sentRequests))
      this.#hindsight.note(seq, pastAfterStart(before, engine.ledger))
    }
    if (kind === 'note') this.#noteTrades(seq, before, body as Partial<TradesSeen>)
    const scene = {
      ...this.#accounts,
      ledger: engine.ledger,
      risk: this.#risk,
    }
    // What `RecordedEngine` wrote, as is the event below.
    if (kind === 'send')
      this.#findAny(leavesRightly({ ...scene, dispatch: body as SentRequest, past: before }))
    if (kind !== 'event') return
    const event = body as EngineEvent
    const after = pastAfter(before, event, decisions, engine.ledger)
    this.#hindsight.note(seq, after)
    this.#findAny(wrongAfter({ ...scene, event, decisions, before, after }))
  }
}
