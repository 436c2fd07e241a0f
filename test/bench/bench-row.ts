/** Something measured. */
export interface BenchRow {
  readonly name: string
  readonly unit: string
  /** The largest ratio to the bare reference that is good enough, where one is set. */
  readonly goal?: number
  /** Measures Sluice and, in the same run, the bare reference for the same work. */
  run(): Promise<Measured>
}

/** A value of Sluice beside that of the bare reference. */
export interface Measured {
  readonly value: number
  readonly floor: number
}
