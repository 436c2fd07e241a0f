export type Side = 'buy' | 'sell'

/** Direction of a position. */
export type Direction = 'long' | 'short'

export function oppositeOf(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy'
}

/** Side of an entry in `direction`. */
export function entrySideOf(direction: Direction): Side {
  return direction === 'long' ? 'buy' : 'sell'
}

/** Side of an exit from a position in `direction`. */
export function exitSideOf(direction: Direction): Side {
  return direction === 'long' ? 'sell' : 'buy'
}
