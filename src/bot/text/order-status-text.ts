import { orderWord } from '../../domain/orders/order-words.ts'

/** Statuses in words of an order that waits in the bot for its price, where they differ from those of others. */
export const WATCHED_WORDS: Readonly<Record<string, string>> = {
  open: 'watched by the bot, not at the exchange yet',
  canceled: 'canceled, which never was at the exchange',
}

/** The status of an order in words; `watchedBy` of one that waits in the bot for its price. */
export function orderStatusText(status: string, watchedBy: unknown): string {
  return (watchedBy === undefined ? undefined : WATCHED_WORDS[status]) ?? orderWord(status)
}
