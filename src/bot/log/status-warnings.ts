import { grouped } from '../../domain/numbers/grouped.ts'
import { orderWord } from '../../domain/orders/order-words.ts'
import type { OutsideClose } from '../state/outside-closes.ts'
import { momentText, signedMoneyText } from '../text/figures.ts'
import { accountText, foreignText } from '../text/foreign-status.ts'
import { lockedText, shortageText, sourceText } from '../text/log-lines.ts'
import { lackText } from '../text/protection-text.ts'
import type { AwaitedSale } from './awaited-sales.ts'
import type { BotStatus, ScopeStatus, StrategyStatus, UnprotectedStatus } from './bot-status.ts'
import { exitLine } from './exits-under-way.ts'
import { staleText } from './line-trouble.ts'

/** Warnings for an operator, the most urgent first; each begins with its subject in capitals. */
export function statusWarnings(status: BotStatus): readonly string[] {
  const { strategies, trading, line, closing, comparison, unprotected, foreign } = status
  return [
    ...unprotected.map(unprotectedLine),
    ...status.unlisted.map(sentence => `NOT BOOKED YET: ${sentence}`),
    ...(status.nothingLeft === undefined ? [] : [`ACCOUNT EMPTY: ${status.nothingLeft}`]),
    ...owedLines(status.balances),
    ...outsideBeforeLines(status.closedOutsideBefore),
    ...status.closedOutside.map(outsideLine),
    ...strategies.flatMap(stoppedLine),
    ...foreign.map(
      one =>
        `NOT OF THIS BOT: ${foreignText(one)} on the account, beside its own; flatten and kill leave that. Close it at the exchange.`,
    ),
    ...trading.flatMap(holdLines),
    ...closing.map(symbol =>
      [`CLOSING: what is held of ${symbol} is being closed.`, status.closingReasons[symbol] ?? []]
        .flat()
        .join(' '),
    ),
    ...status.exitsUnderWay.map(exitLine),
    ...status.lockedCoins.map(one => `COINS LOCKED: ${lockedText(one)}`),
    ...(status.awaitedSales.length === 0 ? COMPARISONS[comparison] : status.awaitedSales.map(awaitedLine)),
    ...differingLines(status.differing),
    ...lineLines(line),
  ]
}

/** Negative balances: somebody else sold or spent more than an account had. */
function owedLines(balances: BotStatus['balances']): readonly string[] {
  return Object.entries(balances)
    .filter(([, amount]) => amount.startsWith('-'))
    .map(
      ([asset, amount]) =>
        `OWED: the account owes ${grouped(amount.slice(1))} ${asset} by the books of this bot. On margin nothing is opened that would need it; bring it back by hand at the exchange.`,
    )
}

function outsideBeforeLines(count: number): readonly string[] {
  if (count === 0) return []
  const closes = count === 1 ? 'one close' : `${count} closes`
  return [
    `CHANGED OUTSIDE: ${closes} of the last 24 hours before those below; the log and "npm run -s bot -- trades" list them.`,
  ]
}

function outsideLine(close: OutsideClose): string {
  const { book, direction, size, price, isPriceAssumed, time, by } = close
  if (by === 'exchange') return liquidatedLine(close)
  const traded = direction === 'long' ? 'sold' : 'bought back'
  const did = by === 'others' ? `was ${traded}` : 'went, without a trade that would tell how,'
  const at = `at ${grouped(price)} on ${momentText(time)}`
  const how = isPriceAssumed
    ? `outside the bot; it counts as closed ${at}, because nothing tells what it brought`
    : `outside the bot ${at}`
  return `CHANGED OUTSIDE: ${book} (${direction.toUpperCase()} ${size}) ${did} ${how}; positions and money below count that.`
}

function liquidatedLine({ book, direction, size, price, time, pnl, quote }: OutsideClose): string {
  return `LIQUIDATED: the exchange closed ${book} (${direction.toUpperCase()} ${size}) at ${grouped(price)} on ${momentText(time)}: ${signedMoneyText(pnl, quote)} after fees; positions and money below count that.`
}

const BOOKS = 'positions and money below are the books of this bot'

const COMPARISONS: Readonly<Record<BotStatus['comparison'], readonly string[]>> = {
  notYet: [`NOT COMPARED YET: ${BOOKS}; since this start no look at the account has come to a verdict.`],
  agreed: [],
  differs: [
    `DIFFERS FROM THE ACCOUNT: ${BOOKS}; at the latest look the account had something else. A look that shows the same again adopts it, or halts what it cannot explain; where coins of a position are missing, 90 s after the log has told it, because the sale of them may be listed late.`,
  ],
}

function awaitedLine(awaited: AwaitedSale): string {
  return `DIFFERS FROM THE ACCOUNT: ${BOOKS}. ${shortageText(awaited)}`
}

/** The account's side of books that differ from it. */
function differingLines(differing: BotStatus['differing']): readonly string[] {
  if (differing.length === 0) return []
  return [`BOOKS AND ACCOUNT DIFFER: ${BOOKS}; the account has ${differing.map(accountText).join(', ')}.`]
}

/** Empty without problems. */
function lineLines({
  failedCalls,
  lastFailure,
  refusedData,
  doubtedPrices,
  lastDoubt,
  silence,
  stale = [],
}: BotStatus['line']): readonly string[] {
  return [
    ...(silence === undefined ? [] : [`HOST SILENT: ${silence}`]),
    ...stale.map(one => `STALE: ${staleText(one)}`),
    ...(failedCalls === 0
      ? []
      : [`Failed calls to the exchange in the last 5 minutes: ${failedCalls}; last: ${lastFailure}`]),
    ...(refusedData + doubtedPrices === 0
      ? []
      : [
          `Market data refused: ${refusedData}, prices looked at twice: ${doubtedPrices}; last: ${lastDoubt}`,
        ]),
  ]
}

function unprotectedLine({ book, purpose, why, ...rest }: UnprotectedStatus): string {
  return `NOT PROTECTED: the ${orderWord(purpose)} of ${book} ${lackText(rest)}. ${why}`
}

function stoppedLine({ strategy, book, stopped }: StrategyStatus): readonly string[] {
  if (stopped === undefined) return []
  const what = {
    threw: `STOPPED: strategy ${strategy} on ${book} threw and decides nothing more until the bot is started again.`,
    ended: `ENDED: strategy ${strategy} on ${book} decides nothing more.`,
    halted: `HALTED: strategy ${strategy} on ${book} decides nothing more, because its instrument is halted.`,
  }
  return [`${what[stopped.how]} ${stopped.left} ${stopped.why}`]
}

function holdLines({ scope, holds }: ScopeStatus): readonly string[] {
  return holds.map(hold => {
    const end = hold.until === undefined ? '' : ` until ${momentText(hold.until)}`
    const name = scope === 'account' ? 'the account' : scope
    return `${hold.mode.toUpperCase()}: trading of ${name}, by ${sourceText(hold.source)} since ${momentText(hold.since)}${end}. ${hold.reason}`
  })
}
