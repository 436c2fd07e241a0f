import type { BotStatus } from './bot-status.ts'

/** A sentence for each scope whose trading is held back, with the reasons; none while all trade. */
export function heldBackTexts({ trading }: Pick<BotStatus, 'trading'>): readonly string[] {
  return [
    ...trading
      .filter(({ mode }) => mode !== 'active')
      .map(
        ({ scope, mode, holds }) =>
          `Trading of ${scope} is ${mode}: ${holds.map(({ reason }) => reason).join(' ')}`,
      ),
    ...trading.flatMap(({ haltedUntilStart }) => haltedUntilStart ?? []),
  ]
}
