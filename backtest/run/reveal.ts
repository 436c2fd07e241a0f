/**
 * Shows klines to a run only when they are needed, for tests of look-ahead. Such a run plays kline by kline,
 * and computes no indicator ahead.
 */
export interface Reveal {
  /** Klines that close up to `time` (ms UTC) are needed now. */
  closing(time: number): void
  /** The opens of klines that begin up to `time` (ms UTC) are needed now, too. */
  opening(time: number): void
}
