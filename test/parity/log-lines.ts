/** Log lines, kept: what both paths say of their orders and fills is what is compared. */
export class LogLines {
  readonly #lines: Record<string, unknown>[] = []

  write(text: string): void {
    this.#lines.push(JSON.parse(text))
  }

  /**
   * The lines of a message, without their times: a live fill knows its second, a replayed one its kline. Ids tell the
   * intent, without the session that only a live one has.
   */
  said(message: string): readonly Readonly<Record<string, unknown>>[] {
    return this.#lines
      .filter(({ msg }) => msg === message)
      .map(({ at: _at, time: _time, level: _level, ...fields }) => fields)
      .map(({ clientOrderId, ...fields }) =>
        typeof clientOrderId === 'string' ? { ...fields, intent: intentOf(clientOrderId) } : fields,
      )
  }
}

/** Strategy and book, and decision: the session stands between. */
function intentOf(clientOrderId: string): string {
  return clientOrderId.replace(/^(.{8}).{5}/, '$1')
}
