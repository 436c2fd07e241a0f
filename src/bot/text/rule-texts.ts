import type { Instrument } from '../../domain/instrument.ts'
import { type Amount, amountToNumber, amountToText, type Rate } from '../../domain/numbers/amount.ts'
import { grouped } from '../../domain/numbers/grouped.ts'
import { orderWord } from '../../domain/orders/order-words.ts'
import type { ProtectionRules, RiskLimits, RiskRules } from '../../risk/risk-rules.ts'
import { durationText, moneyText, numberText, percentText } from './figures.ts'

/** A configured limit or protection in words. */
interface RuleText {
  readonly name: string
  readonly rule: string
}

const PROTECTIONS: Readonly<Record<string, string>> = {
  dailyLoss: 'daily loss',
  lossesInARow: 'losses in a row',
  cooldownAfterStop: 'cooldown after a stop',
  staleData: 'stale data',
  clockUncertainty: 'uncertain clock',
} satisfies Partial<Record<keyof ProtectionRules, string>>

/** `losses in a row` of `lossesInARow`; other sources of a hold as they are. */
export function protectionWord(name: string): string {
  return PROTECTIONS[name] ?? name
}

/** The rules of a scope in words; amounts are in the assets of an instrument of it. */
export function ruleTexts(
  { limits = {}, protections = {} }: RiskRules = {},
  on: Pick<Instrument, 'base' | 'quote'>,
): readonly RuleText[] {
  return [...limitTexts(limits, on), ...protectionTexts(protections)].flatMap(([name, rule]) =>
    rule === undefined ? [] : { name, rule },
  )
}

type Row = readonly [name: string, rule: string | undefined]

function limitTexts(limits: RiskLimits, { base, quote }: Pick<Instrument, 'base' | 'quote'>): readonly Row[] {
  const { priceBandRate, maxNotional, maxPosition, maxExposure, maxOrders, selfCrossingRate } = limits
  const money = (amount: Amount) => moneyText(amountToText(amount), quote)
  return [
    [orderWord('priceBand'), given(priceBandRate, rate => `${percent(rate)} from the latest price`)],
    [orderWord('maxNotional'), given(maxNotional, money)],
    [
      orderWord('maxPosition'),
      given(maxPosition, most =>
        'quote' in most ? money(most.quote) : `${grouped(amountToText(most.base))} ${base}`,
      ),
    ],
    [orderWord('maxExposure'), given(maxExposure, money)],
    [
      orderWord('maxOrders'),
      given(maxOrders, ({ count, perMs }) => `${counted(count, 'order')} in ${durationText(perMs)}`),
    ],
    [orderWord('maxWorkingOrders'), given(limits.maxWorkingOrders, numberText)],
    [
      orderWord('selfCrossing'),
      given(selfCrossingRate, rate => `none within ${percent(rate)} of the latest price`),
    ],
  ]
}

function given<Value>(value: Value | undefined, textOf: (value: Value) => string): string | undefined {
  return value === undefined ? undefined : textOf(value)
}

function protectionTexts(protections: ProtectionRules): readonly Row[] {
  const { dailyLoss, drawdown, lossesInARow, cooldownAfterStop, staleData, clockUncertainty, spread } =
    protections
  return [
    [
      protectionWord('dailyLoss'),
      dailyLoss && `${percent(dailyLoss.rate)} of the equity of midnight; ${dailyLoss.mode} until the next`,
    ],
    [
      protectionWord('drawdown'),
      drawdown && `${percent(drawdown.rate)} of the highest equity; ${drawdown.mode} ${lasting(drawdown)}`,
    ],
    [
      protectionWord('lossesInARow'),
      lossesInARow &&
        `${counted(lossesInARow.count, 'trade')} with a loss; ${lossesInARow.mode} ${lasting(lossesInARow)}`,
    ],
    [
      protectionWord('cooldownAfterStop'),
      cooldownAfterStop && `${cooldownAfterStop.mode} ${lasting(cooldownAfterStop)}`,
    ],
    [
      protectionWord('staleData'),
      staleData &&
        `${staleData.mode} while no data come, and for ${durationText(staleData.gapPauseMs)} after missed klines`,
    ],
    [
      protectionWord('clockUncertainty'),
      clockUncertainty && `above ${durationText(clockUncertainty.maxMs)}; ${clockUncertainty.mode} meanwhile`,
    ],
    [
      protectionWord('spread'),
      spread && `above ${percentText(spread.maxRate)} of the middle; ${spread.mode} meanwhile`,
    ],
  ]
}

function lasting({ pauseMs }: { readonly pauseMs?: number | undefined }): string {
  return pauseMs === undefined ? 'until an operator resumes' : `for ${durationText(pauseMs)}`
}

function percent(rate: Rate): string {
  return percentText(amountToNumber(rate))
}

function counted(count: number, name: string): string {
  return `${numberText(count)} ${name}${count === 1 ? '' : 's'}`
}
