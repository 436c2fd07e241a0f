/** Which way an order trades. */
export type Side = 'buy' | 'sell'

/** Which way a position points. */
export type Direction = 'long' | 'short'

/** The side that trades against `side`. */
export function oppositeOf(side: Side): Side {
  return side === 'buy' ? 'sell' : 'buy'
}

/** The side that builds a position in `direction`. */
export function entrySideOf(direction: Direction): Side {
  return direction === 'long' ? 'buy' : 'sell'
}

/** The side that takes a position in `direction` off. */
export function exitSideOf(direction: Direction): Side {
  return direction === 'long' ? 'sell' : 'buy'
}
