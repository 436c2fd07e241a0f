import type { Logger } from 'pino'
import type { Accounts } from '../../config/account-fields.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, amountToText } from '../../domain/numbers/amount.ts'
import type { SessionRecord } from '../state/session-record.ts'

/** Declared balances of a margin account, by asset. */
export type Declared = ReadonlyMap<string, Amount>

/** The declaration that counts: that of the journal, once it has one, and otherwise that of the configuration. */
export function countingDeclaration(
  before: Pick<SessionRecord, 'declared'> | undefined,
  { margin }: Accounts,
): Declared | undefined {
  return before?.declared ?? margin?.balances
}

/**
 * Reason that a declaration is no longer used, in a sentence with its remedy; `undefined` if it is the one in
 * use.
 */
export function changedDeclaration(counting: Declared | undefined, { margin }: Accounts): string | undefined {
  if (margin === undefined || counting === undefined || textOf(counting) === textOf(margin.balances))
    return undefined
  return `The configuration declares ${textOf(margin.balances)} on the margin account, but the journal began with ${textOf(counting)} and has booked every own trade since: the journal counts. Put the old declaration back, or, to begin with the new one, close what is held and start with a new journal.`
}

/** Amounts by asset in words, such as `1000 USDT and 0.5 BTC`. */
export function textOf(balances: Declared): string {
  const held = [...balances].toSorted(([left], [right]) => (left < right ? -1 : 1))
  return held.map(([asset, amount]) => `${amountToText(amount)} ${asset}`).join(' and ')
}

/** The unknowns of a margin account, in a sentence. */
export const UNVERIFIABLE =
  'The balances of the margin account cannot be read: the books begin with what is declared and go on by trades. Debts, interest and transfers are not seen, and the bot itself borrows nothing.'

/** Logs once the unverifiable parts, a changed declaration, and declared assets that no pair on margin has. */
export function logDeclaration(
  log: Logger,
  counting: Declared | undefined,
  accounts: Accounts,
  instruments: Iterable<Instrument>,
): void {
  if (accounts.margin === undefined || counting === undefined) return
  const traded = [...instruments].filter(({ accountType }) => accountType === 'margin')
  const assets = new Set(traded.flatMap(({ base, quote }) => [base, quote]))
  const unused = new Map([...counting].filter(([asset]) => !assets.has(asset)))
  if (unused.size > 0) {
    const [declared, known] = [textOf(unused), [...assets].toSorted().join(', ')]
    const text = `No pair that is traded on margin has ${[...unused.keys()].join(' or ')}: the bot does nothing with it. Their assets are ${known}; look whether balances of the margin account in the configuration has a typing error.`
    log.warn({ declared, why: text }, 'declared margin balances of other assets')
  }
  log.warn({ declared: textOf(counting), why: UNVERIFIABLE }, 'margin balances are unverified')
  const why = changedDeclaration(counting, accounts)
  if (why !== undefined) log.warn({ why }, 'the declared margin balances were changed, and do not count')
}
