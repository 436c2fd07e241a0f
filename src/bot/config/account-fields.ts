import type { FuturesTerms, MarginMode, PositionMode } from '../../domain/futures-terms.ts'
import { oneOf, wholeNumber } from './fields.ts'
import { section } from './section.ts'

/** How the contracts of a futures account are held. */
export type ContractTerms = Pick<FuturesTerms, 'leverage' | 'marginMode' | 'positionMode'>

/** The accounts that a bot trades on, by their type. */
export interface Accounts {
  readonly spot?: Readonly<Record<string, never>> | undefined
  readonly futures?: ContractTerms | undefined
}

const LEVERAGE = 'Worth of a position / its initial margin.'
const MARGIN_MODE = 'What backs a position: the whole wallet, or a margin of its own.'
const POSITION_MODE = 'oneWay: opposite orders net. twoWay: a long and a short position side by side.'

const NO_TERMS = section({})
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
}).superRefine(({ type, ...terms }, context) => {
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message, params: { sentence: true } })
  // The interface shows nobody what a margin account holds and owes: a mode that cannot be compared must not look as if it were.
  if (type === 'margin')
    refuse(
      'type',
      'is margin, but the interface has no call that tells what a margin account holds and owes, so that a running bot could compare nothing; trade a spot or futures account, or try the strategy in a backtest, which knows margin accounts.',
    )
  for (const [name, value] of Object.entries(terms)) {
    if (type !== 'futures' && value !== undefined)
      refuse(name, 'is for futures accounts: leave it out, or use type: futures.')
  }
})

/** Several accounts side by side. */
export const accountsField = section({
  spot: NO_TERMS.optional().describe('Trades symbols such as BTC/USDT.'),
  futures: section(contractTerms).optional().describe('Trades contracts such as E-BTC-USDT.'),
}).superRefine((accounts, context) => {
  if (Object.values(accounts).some(account => account !== undefined)) return
  const message = 'names no account; give spot, futures, or both.'
  context.addIssue({ code: 'custom', message, params: { sentence: true } })
})

/** The two keys of a configuration that name accounts. */
export interface GivenAccounts {
  readonly account?: OneAccount | undefined
  readonly accounts?: Accounts | undefined
}

/** What the two keys come to; without either, a spot account. */
export function accountsOf({ account, accounts }: GivenAccounts): Accounts {
  if (accounts !== undefined) return accounts
  if (account?.type !== 'futures') return { spot: {} }
  const { leverage = 1, marginMode = 'cross', positionMode = 'oneWay' } = account
  return { futures: { leverage, marginMode, positionMode } }
}

interface OneAccount {
  readonly type: 'spot' | 'margin' | 'futures'
  readonly leverage?: number | undefined
  readonly marginMode?: MarginMode | undefined
  readonly positionMode?: PositionMode | undefined
}
