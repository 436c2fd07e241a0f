/** Number of recent kinds searched for a row; beyond them a kind is merely stored twice. Twenty instruments have forty kinds of fills. */
const LOOKED_THROUGH = 64

/** Stores values repeated over many rows once. */
export class Kinds<Kind> {
  readonly #isSame: (left: Kind, right: Kind) => boolean
  readonly #copyOf: (kind: Kind) => Kind
  readonly #all: Kind[] = []

  /** `copyOf` drops the fields of a row outside its kind. */
  constructor(isSame: (left: Kind, right: Kind) => boolean, copyOf: (kind: Kind) => Kind) {
    this.#isSame = isSame
    this.#copyOf = copyOf
  }

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
