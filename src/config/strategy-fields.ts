import { z } from 'zod'
import { INTERVALS } from '../domain/market-data/interval.ts'
import { text } from './fields.ts'
import { marketsField } from './markets-field.ts'
import { marketField, symbolField } from './symbol-field.ts'

/** Fields of an entry of `strategies` in every configuration: strategy, symbol and parameters. */
export const strategyFields = {
  file: text('the path of a strategy file'),
  symbol: symbolField,
  interval: z.enum(INTERVALS, { error: `one of ${INTERVALS.join(', ')}` }).describe('Length of its klines.'),
  parameters: z
    .record(
      z.string(),
      z.union([z.number(), z.string(), z.boolean()], { error: 'a number, a text, true or false' }),
      {
        error: 'a section of parameters by name',
      },
    )
    .default({})
    .describe("What is left out has the strategy's own default."),
  markets: marketsField(marketField).optional(),
}

/** A list of at least one strategy, in which none is twice the same: strategies may share a symbol, but not do the same on it. */
export function strategyList<Entry extends z.ZodType<StrategyEntry>>(entry: Entry) {
  return z
    .array(entry, { error: 'a list of strategies' })
    .min(1, { error: 'a list of at least one strategy' })
    .superRefine((list, context) => {
      list.forEach((own, index) => {
        if (list.findIndex(other => isSame(other, own)) === index) return
        const { file, symbol, interval } = own
        const message = `runs ${file} on ${symbol} ${interval} a second time with the same parameters; change or leave out one.`
        context.addIssue({ code: 'custom', path: [index], message, params: { sentence: true } })
      })
    })
    .readonly()
    .describe('The strategies, each with what it trades; at least one.')
}

interface StrategyEntry {
  readonly file: string
  readonly symbol: string
  readonly interval: string
  readonly parameters: Readonly<Record<string, number | string | boolean>>
  readonly markets?: Readonly<Record<string, { readonly symbol: string }>> | undefined
}

function isSame(left: StrategyEntry, right: StrategyEntry): boolean {
  return (
    left.file === right.file &&
    left.symbol === right.symbol &&
    left.interval === right.interval &&
    sortedText(left.parameters) === sortedText(right.parameters) &&
    sortedText(left.markets ?? {}) === sortedText(right.markets ?? {})
  )
}

function sortedText(values: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.entries(values).sort(([left], [right]) => (left < right ? -1 : 1)))
}
