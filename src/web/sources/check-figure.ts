import { moneyText } from '../../bot/text/figures.ts'
import type { Instrument } from '../../domain/instrument.ts'
import { grouped } from '../../domain/numbers/grouped.ts'

/** A figure of a check for people: money rounded as everywhere, a comma between thousands, and one thing in the singular. */
export function checkFigure(text: string, instruments: readonly Instrument[]): string {
  const quotes = new Set(instruments.map(({ quote }) => quote))
  return text
    .replaceAll(/(?<![\w.,])(\d+(?:\.\d+)?) ([A-Z0-9]+)\b/g, (_, amount: string, asset: string) =>
      quotes.has(asset) ? moneyText(amount, asset) : `${grouped(amount)} ${asset}`,
    )
    .replaceAll(/(?<![\w.,])(\d+)(?= contracts?\b)/g, grouped)
    .replaceAll(/(?<![\w.,])1 (working )?(order|contract)s\b/g, '1 $1$2')
}
