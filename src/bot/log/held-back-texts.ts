import type { BotStatus } from './bot-status.ts'

/** What holds the trading of each scope back, in sentences; empty where nothing does. */
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
