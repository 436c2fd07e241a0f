/** How many kinds are looked through for the one of a row: more are only kept twice. */
const LOOKED_THROUGH = 16

/** What stays the same over many rows, kept once. */
export class Kinds<Kind> {
  readonly #isSame: (left: Kind, right: Kind) => boolean
  readonly #copyOf: (kind: Kind) => Kind
  readonly #all: Kind[] = []

  /** `copyOf` leaves out of a row what is not of its kind. */
  constructor(isSame: (left: Kind, right: Kind) => boolean, copyOf: (kind: Kind) => Kind) {
    this.#isSame = isSame
    this.#copyOf = copyOf
  }

  /** The number of a kind. */
  numberOf(kind: Kind): number {
    const all = this.#all
    for (let number = all.length - 1; number >= 0 && number >= all.length - LOOKED_THROUGH; number--)
      if (this.#isSame(all[number] as Kind, kind)) return number // inside the bounds
    return all.push(this.#copyOf(kind)) - 1
  }

  /** The kind of a number that was given. */
  at(number: number): Kind {
    return this.#all[number] as Kind
  }
}
