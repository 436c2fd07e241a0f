/** A line of the log of a bot, as far as tests look at it. */
export interface Said {
  readonly msg?: string
  readonly venue?: string
  readonly equity?: Readonly<Record<string, string>>
  readonly balances?: Readonly<Record<string, string>>
}

/** The complete lines of an output as objects. */
export function saidOn(lines: readonly string[]): readonly Said[] {
  return lines.filter(line => line.endsWith('}')).map(line => JSON.parse(line))
}
