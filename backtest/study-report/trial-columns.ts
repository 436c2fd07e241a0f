import { createHash } from 'node:crypto'
import type { TriedSharpes } from '../../src/research/statistics/sharpe/deflated-sharpe.ts'
import { sharpeOf } from '../../src/research/statistics/sharpe/sharpe-estimate.ts'
import { DAYS_PER_YEAR } from '../metrics/convention.ts'
import type { ParameterSet } from '../trials/trial.ts'
import { type EncodedColumn, encodedFigures, encodedValues } from './encoded-column.ts'
import { FIGURE_COLUMNS, type FigureColumn, HALF_COLUMNS } from './figure-columns.ts'
import { luckCurve } from './luck-curve.ts'
import { NumberList } from './number-list.ts'
import type { PageTrials, TrialColumn } from './study-page-data.ts'

/** A trial as a page shows it. */
export interface ShownTrial {
  /** Number in its search; `undefined` for one that was run by hand. */
  readonly number?: number | undefined
  readonly outcome: 'finished' | 'failed' | 'refused'
  readonly parameters: ParameterSet
  readonly problem?: string | undefined
  readonly figures?: Readonly<Record<string, number | null>> | undefined
  readonly dailyReturns?: Float64Array | undefined
  /** By each objective of the page. */
  readonly scores?: readonly (number | undefined)[] | undefined
  /** Short hashes, where trials of several versions are shown. */
  readonly versions?: Readonly<Record<string, string>> | undefined
}

/** Trials ready for a page. */
export interface EncodedTrials {
  readonly trials: PageTrials
  /** Base64 of each column, by the id of its element. */
  readonly data: readonly (readonly [id: string, base64: string])[]
  readonly finished: number
}

/** Exact values of one column, each different one kept once. */
class ValueList {
  readonly places = new NumberList()
  readonly values: (number | string)[] = []
  readonly #placeOf = new Map<number | string, number>()

  /** Adds a value; rows before it that have none are filled with an empty text. */
  add(value: number | string, row: number): void {
    while (this.places.length < row) this.places.push(this.#place(''))
    this.places.push(this.#place(value))
  }

  #place(value: number | string): number {
    const known = this.#placeOf.get(value)
    if (known !== undefined) return known
    this.#placeOf.set(value, this.values.length)
    return this.values.push(value) - 1
  }

  encoded(rows: number): EncodedColumn {
    while (this.places.length < rows) this.places.push(this.#place(''))
    return encodedValues(this.places.numbers, this.values)
  }
}

/** Collects trials one by one into columns, so that a million of them fit in memory. */
export class TrialColumns {
  readonly #scores: readonly string[]
  readonly #command: string
  readonly #exact = new Map<string, ValueList>()
  readonly #figures = new Map<string, NumberList>()
  readonly #known = new Set<string>()
  /** For each trial, how many different ones have finished up to it. */
  readonly #different = new NumberList()
  #count = 0
  #finished = 0

  /** `scores` are the objectives that are no figure of a trial; `command` runs one again, before its parameters. */
  constructor(scores: readonly string[], command: string) {
    this.#scores = scores
    this.#command = command
    for (const { key } of this.#columns()) this.#figures.set(key, new NumberList())
  }

  add(trial: ShownTrial): void {
    const { number, outcome, parameters, problem = '', figures, dailyReturns, versions = {} } = trial
    this.#value('number', number ?? 'by hand')
    this.#value('outcome', problem === '' ? outcome : `${outcome}: ${problem}`)
    for (const [name, value] of Object.entries(versions)) this.#value(name, value)
    for (const [name, value] of Object.entries(parameters))
      this.#value(`p-${name}`, typeof value === 'number' ? value : String(value))
    for (const { key } of FIGURE_COLUMNS) this.#figure(key, figures?.[key])
    const [older, newer] = this.#halves(dailyReturns)
    this.#figure('olderSharpe', older)
    this.#figure('newerSharpe', newer)
    for (const [index, name] of this.#scores.entries()) this.#figure(`s-${name}`, trial.scores?.[index])
    if (outcome === 'finished') {
      this.#finished++
      this.#known.add(differenceOf(trial))
    }
    this.#different.push(this.#known.size)
    this.#count++
  }

  #value(key: string, value: number | string): void {
    const list = this.#exact.get(key) ?? new ValueList()
    this.#exact.set(key, list)
    list.add(value, this.#count)
  }

  #figure(key: string, value: number | null | undefined): void {
    this.#figures.get(key)?.push(value ?? Number.NaN)
  }

  /** Annual ratios of both halves of the days. */
  #halves(returns: Float64Array | undefined): readonly (number | undefined)[] {
    if (returns === undefined) return []
    const middle = Math.floor(returns.length / 2)
    return [returns.subarray(0, middle), returns.subarray(middle)].map(half => {
      const sharpe = sharpeOf(half)
      return sharpe === undefined ? undefined : sharpe * Math.sqrt(DAYS_PER_YEAR)
    })
  }

  #columns(): readonly FigureColumn[] {
    const scores = this.#scores.map(name => ({
      ...({ key: `s-${name}`, label: name, unit: 'ratio', decimals: 4 } as const),
      missing: 'the objective gives it none',
    }))
    return [...scores, ...FIGURE_COLUMNS, ...HALF_COLUMNS]
  }

  /**
   * The trials for a page, led by a column, `sharpe` where it has none of that key; `luck` is of all trials that are counted. Forgets
   * them: there may be very many.
   */
  encoded(leading: string, luck?: TriedSharpes): EncodedTrials {
    const columns: TrialColumn[] = []
    const data: (readonly [string, string])[] = []
    const keep = (column: Omit<TrialColumn, 'encoding'>, { encoding, base64 }: EncodedColumn) => {
      data.push([`column-${columns.length}`, base64])
      columns.push({ ...column, encoding })
    }
    for (const [key, list] of this.#exact) {
      const isParameter = key.startsWith('p-')
      if (!isParameter && !OWN_LABELS.has(key) && list.values.length < 2) continue // one version says nothing
      const label = isParameter ? key.slice(2) : (OWN_LABELS.get(key) ?? key)
      keep(
        { key, label, kind: isParameter ? 'parameter' : 'trial', unit: 'value' },
        list.encoded(this.#count),
      )
      this.#exact.delete(key)
    }
    for (const { decimals, ...column } of this.#columns()) {
      const { numbers = new Float64Array() } = this.#figures.get(column.key) ?? {}
      keep({ ...column, kind: 'figure' }, encodedFigures(numbers, decimals))
      this.#figures.delete(column.key)
    }
    const isKnown = columns.some(({ key }) => key === leading)
    return {
      trials: {
        ...{ count: this.#count, columns, leading: isKnown ? leading : 'sharpe' },
        ...{ finished: this.#known.size, counted: luck?.trials ?? this.#known.size },
        ...{ luck: luck ? luckCurve(this.#different.numbers, luck) : [], command: this.#command },
      },
      ...{ data, finished: this.#finished },
    }
  }
}

const OWN_LABELS: ReadonlyMap<string, string> = new Map([
  ['number', 'Trial'],
  ['outcome', 'Outcome'],
])

/** Hash of parameters, configuration and returns; finished trials of one hash are one trial, as the study counts. */
function differenceOf({ parameters, versions = {}, dailyReturns }: ShownTrial): string {
  const hash = createHash('sha256').update(JSON.stringify([parameters, versions.Configuration]))
  return hash.update(dailyReturns ?? '').digest('base64')
}
