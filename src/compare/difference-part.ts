/** Causes by which a live run and its backtest come to other money. */
export const DIFFERENCE_PARTS = [
  'spread',
  'latency',
  'fees',
  'funding',
  'lateKlines',
  'missedKlines',
  'held',
  'operator',
  'partialFills',
  'restingOrders',
  'restarts',
  'changedStrategy',
  'outside',
  'sizes',
  'unexplained',
] as const

export type DifferencePart = (typeof DIFFERENCE_PARTS)[number]

const TEXTS: Readonly<Record<DifferencePart, string>> = {
  spread: 'spread and slippage: other prices than the fill model takes',
  latency: 'latency: the price moved until the order arrived',
  fees: 'fees: another rate than the instrument had',
  funding: 'funding: another price or position at the settlement',
  lateKlines: 'klines shown late',
  missedKlines: 'missed klines',
  held: 'orders denied, refused, held or halted',
  operator: 'commands of the operator',
  partialFills: 'orders filled in part: one run got less of an order than it asked for',
  restingOrders: 'resting orders and stops that filled at another time, or only here or there',
  restarts: 'restarts: klines that closed while the bot was down',
  changedStrategy: 'changed strategy: its code or parameters are not those that ran',
  outside: 'positions closed by others or by the exchange, and exits that this forestalled',
  sizes: 'other sizes, because the account was worth more or less by then',
  unexplained: 'unexplained: a defect',
}

/** A part in words. */
export function partText(part: DifferencePart): string {
  return TEXTS[part]
}
