import type { OrderWish, Protection, Signal, TakeProfit } from '../../../src/domain/signal.ts'

/** The same wish the other way round: long is short, and each price is as far on the other side of `price` (quote per base). */
export function mirrored(signal: Signal, price: number): Signal {
  const turn = (level: number) => 2 * price - level
  switch (signal.type) {
    case 'enter': {
      const { order } = signal
      const direction = signal.direction === 'long' ? 'short' : 'long'
      return {
        ...signal,
        ...turnedProtection(signal, turn),
        direction,
        ...(order !== undefined && { order: turnedOrder(order, turn) }),
      }
    }
    case 'exit': {
      const { order } = signal
      return { ...signal, ...(order !== undefined && { order: turnedOrder(order, turn) }) }
    }
    case 'target': {
      const { order } = signal
      return {
        ...signal,
        ...turnedProtection(signal, turn),
        size: turnedSize(signal.size),
        // A limit stays one.
        ...(order?.type === 'limit' && { order: { ...order, price: turn(order.price) } }),
      }
    }
    case 'protect': {
      const { stopLoss, takeProfit, trailingStop, ...rest } = signal
      return {
        ...rest,
        ...(trailingStop !== undefined && { trailingStop }),
        ...(stopLoss !== undefined && {
          stopLoss: stopLoss === 'none' ? stopLoss : turnedLevel(stopLoss, turn),
        }),
        ...(takeProfit !== undefined && {
          takeProfit: takeProfit === 'none' ? takeProfit : turnedTakeProfit(takeProfit, turn),
        }),
      }
    }
    case 'quotes': {
      const quotes = signal.quotes.map(quote => ({
        ...quote,
        side: quote.side === 'buy' ? ('sell' as const) : ('buy' as const),
        price: turn(quote.price),
      }))
      return { ...signal, quotes }
    }
    case 'cancelEntries':
      return signal
  }
}

type Turn = (level: number) => number

function turnedOrder(order: OrderWish, turn: Turn): OrderWish {
  switch (order.type) {
    case 'market':
      return order
    case 'limit':
      return { ...order, price: turn(order.price) }
    case 'stop':
      return { ...order, stopPrice: turn(order.stopPrice) }
    case 'stopLimit':
      return { ...order, stopPrice: turn(order.stopPrice), price: turn(order.price) }
    case 'ifTouched':
      return { ...order, triggerPrice: turn(order.triggerPrice) }
  }
}

function turnedProtection({ stopLoss, takeProfit }: Protection, turn: Turn): Protection {
  return {
    ...(stopLoss !== undefined && { stopLoss: turnedLevel(stopLoss, turn) }),
    ...(takeProfit !== undefined && { takeProfit: turnedTakeProfit(takeProfit, turn) }),
  }
}

function turnedLevel<Level extends number | object>(level: Level, turn: Turn): Level | number {
  return typeof level === 'number' ? turn(level) : level
}

function turnedTakeProfit(level: TakeProfit, turn: Turn): TakeProfit {
  if (typeof level === 'number') return turn(level)
  if ('fraction' in level) return level
  return level.map(part => ({ ...part, at: turnedLevel(part.at, turn) }))
}

function turnedSize<Size extends Extract<Signal, { type: 'target' }>['size']>(size: Size): Size {
  // The same key, of the other sign.
  return Object.fromEntries(Object.entries(size).map(([unit, value]) => [unit, -value])) as unknown as Size
}
