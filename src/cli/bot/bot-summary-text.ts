import type { BotSummary } from '../../bot/log/bot-summary.ts'
import { numberText } from '../../bot/text/figures.ts'
import { assetList, fundingText, moneyList, resultList } from '../../bot/text/log-lines.ts'
import { resultText } from '../../bot/text/position-text.ts'
import { positionLines } from './bot-status-text.ts'

/** Result of a run, for people. */
export function summaryText(summary: BotSummary): string {
  const {
    profit,
    realised,
    open,
    other,
    moved,
    fees,
    funding,
    derivedFunding,
    held,
    equity,
    balances,
    trading,
    leftBehind,
  } = summary
  const { account, ...others } = trading
  const rows = [
    row(
      'profit',
      `${profitText(profit, equity)}, the change of equity since this start${isAny(moved) ? ' without what was moved' : ''}`,
    ),
    ...(Object.keys(realised).length === 0
      ? []
      : [row('realised', `${resultList(realised)} by round trips, after fees`)]),
    ...(isAny(open)
      ? [row('open', `${resultList(open)} by open positions, the change since this start, after entry fees`)]
      : []),
    ...(isAny(other)
      ? [row('other', `${resultList(other)} by holdings that are no position, fees in other assets`)]
      : []),
    ...(isAny(moved)
      ? [
          row(
            'moved',
            `${resultList(moved)} into or out of the account, or by trades of others on it: no profit`,
          ),
        ]
      : []),
    row('fees', assetList(fees, equity)),
    ...(isAny(funding) ? [row('funding', `${fundingList(funding)}${derivedText(derivedFunding)}`)] : []),
    ...(held.length === 0 ? ['none'] : held.flatMap(positionLines)).map((line, index) =>
      row(index === 0 ? 'position' : '', line),
    ),
    row('equity', moneyList(equity)),
    row('balances', assetList(balances, equity)),
    row('trades', countsText(summary)),
    row('trading', tradingText(account ?? 'active', others)),
    ...summary.stopped.map(stopped => row('stopped', stoppedText(stopped))),
  ]
  return `Summary\n${rows.join('')}${leftBehind}\n`
}

function isAny(amounts: Readonly<Record<string, string>>): boolean {
  return Object.values(amounts).some(amount => amount !== '0')
}

/** Profit per quote, with the percentage of the initial equity. */
function profitText(profit: BotSummary['profit'], equity: BotSummary['equity']): string {
  return Object.entries(profit)
    .map(([quote, amount]) => {
      const start = Number(equity[quote] ?? 0) - Number(amount)
      return resultText(amount, quote, start > 0 ? String(Number(amount) / start) : undefined)
    })
    .join(', ')
}

function countsText({ fills, roundTrips, orders, signals, denials, rejections, klines }: BotSummary): string {
  const counts = [
    [roundTrips, 'round trip'],
    [fills, 'fill'],
    [orders, 'order'],
    [signals, 'signal'],
    [denials, 'denial'],
    [rejections, 'rejection'],
    [klines, 'kline'],
  ] as const
  return counts.map(([count, name]) => `${numberText(count)} ${name}${count === 1 ? '' : 's'}`).join(', ')
}

function tradingText(account: string, others: Readonly<Record<string, string>>): string {
  return [account, ...Object.entries(others).map(([scope, mode]) => `${mode} on ${scope}`)].join(', ')
}

function stoppedText({ strategy, book, how, why }: BotSummary['stopped'][number]): string {
  const what = {
    threw: 'threw and decided nothing more',
    ended: 'ended and decided nothing more',
    halted: 'decided nothing more, because its instrument was halted',
  }
  return `${strategy} on ${book} ${what[how]}: ${why}`
}

function row(name: string, value: string): string {
  return `  ${name.padEnd(12)}${value}\n`
}

/** The part of funding that the exchange does not list. */
function derivedText(derived: BotSummary['derivedFunding']): string {
  return derived === undefined ? '' : `, of which ${fundingList(derived)} is derived from the wallet`
}

/** Amounts paid or received, by asset. */
function fundingList(funding: BotSummary['funding']): string {
  return Object.entries(funding)
    .map(([quote, amount]) => fundingText(`${amount} ${quote}`))
    .join(', ')
}
