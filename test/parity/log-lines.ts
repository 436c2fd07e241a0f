/** Log lines, kept: what both paths say of their orders and fills is what is compared. */
export class LogLines {
  readonly #lines: Record<string, unknown>[] = []

  write(text: string): void {
    this.#lines.push(JSON.parse(text))
  }

  /** The lines of a message, without their times: a live fill knows its second, a replayed one its kline. */
  said(message: string): readonly Readonly<Record<string, unknown>>[] {
    return this.#lines
      .filter(({ msg }) => msg === message)
      .map(({ at: _at, time: _time, level: _level, ...fields }) => fields)
  }
}
