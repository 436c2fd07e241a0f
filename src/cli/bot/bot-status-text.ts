import type {
  BotStatus,
  OrderStatusLine,
  ScopeStatus,
  StrategyStatus,
  UnprotectedStatus,
} from '../../bot/log/bot-status.ts'
import type { OutsideClose } from '../../bot/log/outside-closes.ts'
import { durationText, grouped, momentText, numberText, percentText } from '../../bot/text/figures.ts'
import { accountText, foreignText } from '../../bot/text/foreign-status.ts'
import {
  assetList,
  moneyList,
  orderTypeText,
  purposeText,
  sourceText,
  strategyText,
} from '../../bot/text/log-lines.ts'
import type { PositionStatus } from '../../bot/text/position-status.ts'
import { levelsText, positionText, quantityWithUnit } from '../../bot/text/position-text.ts'
import { lackText } from '../../bot/text/protection-text.ts'

/** Status of a bot for people, with problems first. */
export function statusText(status: BotStatus): string {
  const { bot, time, strategies, trading, held, orders, equity, balances, line, unverified } = status
  const { closing, comparison, unprotected, foreign } = status
  const levels = new Set(['stopLoss', 'takeProfit', 'trailingStop'])
  const others = orders.filter(({ purpose }) => !levels.has(purpose))
  const lines = [
    `${bot} at ${momentText(time)}`,
    ...unprotected.map(unprotectedLine),
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
    ...COMPARISONS[comparison],
    ...differingLines(status.differing),
    ...lineLines(line),
    ...section('Positions', held.length === 0 ? ['none'] : held.flatMap(positionLines)),
    ...section('Orders', others.length === 0 ? ['none'] : others.map(orderLine)),
    ...section('Money', [
      `equity ${moneyList(equity)}${oldPricesText(status)}`,
      `balances ${assetList(balances, equity)}`,
    ]),
    ...section('Strategies', strategies.map(strategyLine)),
    ...section(
      'Trading',
      trading.map(one => scopeLine(one, trading)),
    ),
    ...unverified,
  ]
  return `${lines.join('\n')}\n`
}

function oldPricesText({ oldPrices }: BotStatus): string {
  if (oldPrices.length === 0) return ''
  const ages = oldPrices.map(({ symbol, ageMs }) => `${symbol} ${durationText(ageMs)} old`)
  return `, at old prices (${ages.join(', ')})`
}

function outsideLine({ book, direction, size, price, time, by }: OutsideClose): string {
  const traded = direction === 'long' ? 'sold' : 'bought back'
  const did = by === 'others' ? `was ${traded}` : 'went, without a trade that would tell how,'
  return `CHANGED OUTSIDE: ${book} (${direction.toUpperCase()} ${size}) ${did} outside the bot at ${grouped(price)} on ${momentText(time)}; positions and money below count that.`
}

const BOOKS = 'positions and money below are the books of this bot'

const COMPARISONS: Readonly<Record<BotStatus['comparison'], readonly string[]>> = {
  notYet: [`NOT COMPARED YET: ${BOOKS}; since this start no look at the account has come to a verdict.`],
  agreed: [],
  differs: [
    `DIFFERS FROM THE ACCOUNT: ${BOOKS}; at the latest look the account had something else. A look that shows the same again adopts it, or halts what it cannot explain.`,
  ],
}

/** The account's side of books that differ from it. */
function differingLines(differing: BotStatus['differing']): readonly string[] {
  if (differing.length === 0) return []
  return [`BOOKS AND ACCOUNT DIFFER: ${BOOKS}; the account has ${differing.map(accountText).join(', ')}.`]
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return [title, ...lines.map(line => `  ${line}`)]
}

/** Empty without problems. */
function lineLines({
  failedCalls,
  lastFailure,
  refusedData,
  doubtedPrices,
  lastDoubt,
  silence,
}: BotStatus['line']): readonly string[] {
  return [
    ...(silence === undefined ? [] : [`HOST SILENT: ${silence}`]),
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
  return `NOT PROTECTED: the ${purposeText(purpose)} of ${book} ${lackText(rest)}. ${why}`
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

function holdLines({ scope, mode, holds }: ScopeStatus): readonly string[] {
  return holds.map(hold => {
    const end = hold.until === undefined ? '' : ` until ${momentText(hold.until)}`
    const name = scope === 'account' ? 'the account' : scope
    const strictest = hold.mode === mode ? '' : ` (and ${hold.mode})`
    return `${mode.toUpperCase()}${strictest}: trading of ${name}, by ${sourceText(hold.source)} since ${momentText(hold.since)}${end}. ${hold.reason}`
  })
}

/** A position, followed by the levels at which orders close it. */
export function positionLines(position: PositionStatus): readonly string[] {
  const levels = levelsText(position)
  const line = `${position.book}: ${positionText(position)}`
  return levels === undefined ? [line] : [line, `  ${levels}`]
}

function strategyLine({ stopped, ...strategy }: StrategyStatus): string {
  return `${strategyText({ ...strategy })}${stopped === undefined ? '' : ` (${stopped.how})`}`
}

function scopeLine(
  { scope, mode, effectiveMode, haltedUntilStart, protections }: ScopeStatus,
  all: readonly ScopeStatus[],
): string {
  const watching = protections.length === 0 ? '' : `, watched by ${protections.join(', ')}`
  const inherited = mode === effectiveMode ? '' : `, as ${holderOf(scope, effectiveMode, all)} is`
  const wider = haltedUntilStart === undefined ? inherited : ' until the bot is started again'
  return `${scope}: ${effectiveMode}${wider}${watching}`
}

/** The wider scope whose mode a scope has: the account, or its instrument. */
function holderOf(scope: string, mode: ScopeStatus['mode'], all: readonly ScopeStatus[]): string {
  const isHeld = (name: string) =>
    all.some(one => one.scope === name && (one.mode === mode || one.haltedUntilStart !== undefined))
  if (isHeld('account')) return 'the account'
  return (
    all.find(one => one.scope !== scope && scope.includes(one.scope) && isHeld(one.scope))?.scope ??
    'its instrument'
  )
}

function orderLine(order: OrderStatusLine): string {
  const { symbol, side, purpose, type, quantity, filled, unit, prices, callbackRate } = order
  const size = quantityWithUnit(quantity, unit)
  const rate = callbackRate === undefined ? [] : [`by ${percentText(callbackRate)}`]
  const terms = [orderTypeText(type), ...prices.map(numberText), ...rate].join(' ')
  const use = purpose === type ? '' : `, ${purposeText(purpose)}`
  const status = order.watchedBy === undefined ? order.status : 'watched by the bot, not at the exchange yet'
  const part = Number(filled) === 0 ? '' : `, ${grouped(filled)} filled`
  return `${symbol}: ${side.toUpperCase()} ${size}, ${terms}${use}, ${status}${part}`
}
