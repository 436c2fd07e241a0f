/** Something that somebody else does with the account of the bot. */
export interface OthersDeed {
  readonly at: number
  /** `close`: close contracts at market; `condition`: a condition order; `margin`: put margin into a position. */
  readonly type: 'deposit' | 'trade' | 'order' | 'shock' | 'close' | 'condition' | 'margin'
  readonly symbol: string
  readonly side: 'buy' | 'sell'
  /** Base units; of a shock: where in its range the price goes, 0.2 to 1. */
  readonly size: number
}

/** When and with what somebody may do something, ms UTC. */
export interface DeedSpan {
  readonly symbols: readonly string[]
  readonly startAt: number
  readonly troubleUntil: number
}

type Random = () => number

/** What is done, likelier things more often. */
const TYPES: Readonly<Record<'spot' | 'futures', readonly OthersDeed['type'][]>> = {
  spot: ['deposit', 'trade', 'trade', 'order', 'shock'],
  futures: ['deposit', 'trade', 'order', 'shock', 'shock', 'close', 'condition', 'margin'],
}

/** Jumps of the price, as those that positions of contracts are lost in. */
export function shocks(random: Random, { symbols, startAt, troubleUntil }: DeedSpan): readonly OthersDeed[] {
  return Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
    at: startAt + Math.floor(random() * (troubleUntil - startAt)),
    type: 'shock',
    symbol: symbols[Math.floor(random() * symbols.length)] ?? '',
    side: 'buy',
    size: Math.round((0.2 + random() * 0.8) * 1000) / 1000,
  }))
}

/** Anything that somebody else does with the accounts of a bot. */
export function deeds(random: Random, { symbols, startAt, troubleUntil }: DeedSpan): readonly OthersDeed[] {
  return Array.from({ length: 1 + Math.floor(random() * 5) }, () => {
    const symbol = symbols[Math.floor(random() * symbols.length)] ?? ''
    const types = TYPES[symbol.includes('/') ? 'spot' : 'futures']
    return {
      at: startAt + Math.floor(random() * (troubleUntil - startAt)),
      type: types[Math.floor(random() * types.length)] ?? 'trade',
      symbol,
      side: random() < 0.5 ? 'buy' : 'sell',
      size: Math.round((0.2 + random() * 0.8) * 1000) / 1000,
    }
  })
}
