import type { Logger } from 'pino'
import { bookOf } from '../../domain/book-names.ts'
import type { Engine } from '../../engine/engine.ts'
import type { StrategyRunnerOptions } from '../../engine/engine-options.ts'
import { tradedMarkets } from '../../engine/traded-markets.ts'
import { booksOf } from './books-of.ts'
import type { BotState } from './bot-state.ts'

type Configured = Omit<StrategyRunnerOptions, 'books'>

/** A strategy of the session before, and the books of its markets by role; that of its own instrument under ''. */
interface Former {
  readonly name: string
  readonly symbol: string
  readonly interval: string
  readonly parameters: string
  readonly books: Readonly<Record<string, string>>
  readonly symbols: Readonly<Record<string, string>>
}

/**
 * Strategies with the books that they had in the session before. By default the name of a book depends on how many strategies trade
 * its symbol; so without this, a strategy would lose its position when another one is added to the symbol or removed from it.
 */
export function withKeptBooks<Entry extends Configured>(
  { engine, session }: Pick<BotState, 'engine' | 'session'>,
  strategies: readonly Entry[],
): readonly (Entry & Pick<StrategyRunnerOptions, 'books'>)[] {
  const formers = (session?.strategies ?? []).flatMap((entry, index): Former[] => {
    const markets = engine.runners[index]?.markets ?? []
    const [own] = markets
    if (own === undefined) return []
    const byRole = (field: 'book' | 'symbol') =>
      Object.fromEntries(markets.map(market => [market.role ?? '', market[field]]))
    const { symbol, interval } = entry
    const parameters = JSON.stringify(entry.parameters)
    const [books, symbols] = [byRole('book'), byRole('symbol')]
    return [{ name: own.strategy, symbol, interval, parameters, books, symbols }]
  })
  const kept = new Map<Entry, Former>()
  // The most alike first: the same strategy may trade a symbol more than once.
  const alike: readonly ((entry: Entry, former: Former) => boolean)[] = [
    ({ interval, parameters }, former) =>
      interval === former.interval && JSON.stringify(parameters) === former.parameters,
    ({ interval }, former) => interval === former.interval,
    () => true,
  ]
  for (const isAlike of alike) {
    for (const entry of strategies) {
      if (kept.has(entry)) continue
      const taken = new Set(kept.values())
      const former = formers.find(
        one =>
          !taken.has(one) &&
          one.name === entry.strategy.name &&
          one.symbol === entry.symbol &&
          isAlike(entry, one),
      )
      if (former !== undefined) kept.set(entry, former)
    }
  }
  const named = strategies.map(entry => {
    const { books = {}, symbols = {} } = kept.get(entry) ?? {}
    const still = Object.entries(books).filter(
      ([role]) => role === '' || symbols[role] === entry.markets?.[role]?.symbol,
    )
    return still.length === 0 ? entry : { ...entry, books: Object.fromEntries(still) }
  })
  const namesOf = (list: readonly StrategyRunnerOptions[]) => tradedMarkets(list).map(({ book }) => book)
  return `${namesOf(named)}` === `${namesOf(strategies)}` ? strategies : named
}

/** Strategies with positions or working orders, by their books. */
export function ownersOf(engine: Pick<Engine, 'runners' | 'ledger'>): ReadonlyMap<string, string> {
  const { orders } = engine.ledger
  const ordered = new Set([...orders.working].map(({ request }) => bookOf(request)))
  const owned = booksOf(engine).filter(
    ({ name }) => ordered.has(name) || engine.ledger.position(name) !== undefined,
  )
  return new Map(owned.map(({ name, strategy }) => [name, strategy]))
}

/** Logs the strategies that take the positions of others: they have their books, but not their memory. */
export function logHandedOver(
  log: Logger,
  before: ReadonlyMap<string, string>,
  engine: Pick<Engine, 'runners' | 'ledger'>,
): void {
  for (const [book, strategy] of ownersOf(engine)) {
    const former = before.get(book)
    if (former === undefined || former === strategy) continue
    log.warn({ book, former, strategy }, 'another strategy goes on with what is held')
  }
}
