import { z } from 'zod'
import type { FuturesTerms, MarginMode, PositionMode } from '../domain/futures-terms.ts'
import type { Amount } from '../domain/numbers/amount.ts'
import type { Host } from '../exchange/endpoints/endpoint.ts'
import type { ForeignMarginTrades } from '../execution/reconciliation/reconciler-options.ts'
import { oneOf, wholeNumber } from './fields.ts'
import { section } from './section.ts'
import { balancesField, symbolField } from './symbol-field.ts'

/** Contract settings of a futures account. */
export type ContractTerms = Pick<FuturesTerms, 'leverage' | 'marginMode' | 'positionMode'>

/** A declared margin account: the interface has no endpoint for its balances. */
export interface MarginDeclaration {
  /** Amounts available to the bot at its first start, by asset. */
  readonly balances: ReadonlyMap<string, Amount>
  readonly foreignTrades: ForeignMarginTrades
  /** The pairs that are traded on it, where there is a spot account beside it; otherwise all are. */
  readonly symbols?: readonly string[] | undefined
}

/** The accounts that a bot trades on, by their type. */
export interface Accounts {
  readonly spot?: Readonly<Record<string, never>> | undefined
  readonly margin?: MarginDeclaration | undefined
  readonly futures?: ContractTerms | undefined
}

const LEVERAGE = 'Worth of a position / its initial margin.'
const MARGIN_MODE =
  'What backs a position: the whole wallet, or a margin of its own, from which its funding is paid.'
const POSITION_MODE = 'oneWay: opposite orders net. twoWay: a long and a short position side by side.'

const DECLARED =
  'What is free in the margin account for the bot at its first start, by asset: the exchange does not tell. Later starts go on from the journal.'
const FOREIGN_TRADES =
  'When others trade on the margin account: halt holds the instrument back until somebody resumes it, adopt books their trades and goes on.'
const SYMBOLS = 'The pairs that are traded on margin, where a spot account is beside it.'
const PAIRS = 'a list of symbols such as [ETH/USDT]'

const NO_TERMS = section({})
const declaredBalances = balancesField.refine(({ size }) => size > 0, {
  error: 'names no asset; say what is free, such as USDT: 1000.',
  params: { sentence: true },
})
const foreignTrades = oneOf('halt', 'adopt')
const marginDeclaration = section({
  balances: declaredBalances.describe(DECLARED),
  foreignTrades: foreignTrades.default('halt').describe(FOREIGN_TRADES),
  symbols: z.array(symbolField, { error: PAIRS }).optional().describe(SYMBOLS),
})
const contractTerms = {
  leverage: wholeNumber(1, 1000).default(1).describe(LEVERAGE),
  marginMode: oneOf('cross', 'isolated').default('cross').describe(MARGIN_MODE),
  positionMode: oneOf('oneWay', 'twoWay').default('oneWay').describe(POSITION_MODE),
}

/** The one account of a bot. */
export const accountField = section({
  type: oneOf('spot', 'margin', 'futures').default('spot').describe('The kind of account that it trades.'),
  leverage: wholeNumber(1, 1000).optional().describe(LEVERAGE),
  marginMode: oneOf('cross', 'isolated').optional().describe(MARGIN_MODE),
  positionMode: oneOf('oneWay', 'twoWay').optional().describe(POSITION_MODE),
  balances: declaredBalances.optional().describe(DECLARED),
  foreignTrades: foreignTrades.optional().describe(FOREIGN_TRADES),
}).superRefine(({ type, balances, foreignTrades: others, ...terms }, context) => {
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message, params: { sentence: true } })
  if (type === 'margin' && balances === undefined)
    refuse(
      'balances',
      'is missing: the exchange tells nobody what a margin account holds and owes, so say what is free in it, such as balances: { USDT: 1000 }. Only that is traded with; nothing is borrowed.',
    )
  for (const [name, value] of Object.entries({ balances, foreignTrades: others })) {
    if (type !== 'margin' && value !== undefined)
      refuse(name, 'is for margin accounts: leave it out, or use type: margin.')
  }
  for (const [name, value] of Object.entries(terms)) {
    if (type !== 'futures' && value !== undefined)
      refuse(name, 'is for futures accounts: leave it out, or use type: futures.')
  }
})

/** Several accounts side by side. */
export const accountsField = section({
  spot: NO_TERMS.optional().describe('Trades symbols such as BTC/USDT.'),
  margin: marginDeclaration
    .optional()
    .describe('Trades symbols such as BTC/USDT with own funds that are declared.'),
  futures: section(contractTerms).optional().describe('Trades contracts such as E-BTC-USDT.'),
}).superRefine((accounts, context) => {
  const refuse = (path: string[], message: string) =>
    context.addIssue({ code: 'custom', path, message, params: { sentence: true } })
  const { spot, margin } = accounts
  if (Object.values(accounts).every(account => account === undefined))
    refuse([], 'names no account; give spot, margin or futures, or several of them.')
  if (spot === undefined && margin?.symbols !== undefined)
    refuse(
      ['margin', 'symbols'],
      'is for a margin account with a spot account beside it: leave it out, and every pair is traded on margin.',
    )
})

/** The two keys of a configuration that name accounts. */
export interface GivenAccounts {
  readonly account?: OneAccount | undefined
  readonly accounts?: Accounts | undefined
}

/** Resolves the two keys to accounts; without either, a spot account. */
export function accountsOf({ account, accounts }: GivenAccounts): Accounts {
  if (accounts !== undefined) return accounts
  if (account?.type === 'margin') {
    const { balances = new Map(), foreignTrades: others = 'halt' } = account
    return { margin: { balances, foreignTrades: others } }
  }
  if (account?.type !== 'futures') return { spot: {} }
  const { leverage = 1, marginMode = 'cross', positionMode = 'oneWay' } = account
  return { futures: { leverage, marginMode, positionMode } }
}

/** True if a bot trades on the spot host: pairs, on a spot or a margin account. */
export function tradesPairs({ spot, margin }: Accounts): boolean {
  return spot !== undefined || margin !== undefined
}

/** The hosts on which a bot trades. */
export function hostsOf(accounts: Accounts): readonly Host[] {
  return [
    ...(tradesPairs(accounts) ? ['spot' as const] : []),
    ...(accounts.futures === undefined ? [] : ['futures' as const]),
  ]
}

interface OneAccount {
  readonly type: 'spot' | 'margin' | 'futures'
  readonly leverage?: number | undefined
  readonly marginMode?: MarginMode | undefined
  readonly positionMode?: PositionMode | undefined
  readonly balances?: ReadonlyMap<string, Amount> | undefined
  readonly foreignTrades?: ForeignMarginTrades | undefined
}
