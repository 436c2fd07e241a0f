import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ColumnRoom } from '../../../src/klines/store/column-room.ts'
import { mergeColumns } from '../../../src/klines/store/merge-columns.ts'

type Row = readonly [time: number, id: number, value: number]

/** Rows that ascend by time and id, each pair once. */
const rows = fc
  .uniqueArray(fc.tuple(fc.nat(12), fc.nat(3), fc.nat(2)), { selector: ([time, id]) => time * 10 + id })
  .map(list => list.toSorted(byKeys))

function byKeys([time, id]: Row, [otherTime, otherId]: Row): number {
  return time - otherTime || id - otherId
}

function columnsOf(list: readonly Row[]): Float64Array[] {
  return [0, 1, 2].map(index => Float64Array.from(list, row => row[index] ?? Number.NaN))
}

describe('mergeColumns', () => {
  it('does what a map from keys to rows does, and counts it', () => {
    const room = new ColumnRoom()
    fc.assert(
      fc.property(rows, rows, (earlier, later) => {
        const keyOf = ([time, id]: Row) => `${time} ${id}`
        const map = new Map(earlier.map(row => [keyOf(row), row]))
        const there = later.map(row => map.get(keyOf(row)))
        const expected = {
          added: there.filter(row => row === undefined).length,
          unchanged: later.filter((row, index) => there[index]?.[2] === row[2]).length,
          revised: later.filter((row, index) => there[index] !== undefined && there[index][2] !== row[2])
            .length,
        }
        for (const row of later) map.set(keyOf(row), row)
        const { columns, counts } = mergeColumns(columnsOf(earlier), columnsOf(later), 2, room)
        expect(columns).toEqual(columnsOf([...map.values()].sort(byKeys)))
        expect(counts).toEqual(expected)
      }),
    )
  })

  it('takes the rows of one table as they are where the other has none, and leaves both tables alone', () => {
    const room = new ColumnRoom()
    const [none, rows] = [columnsOf([]), columnsOf([[1, 1, 1]])]
    expect(mergeColumns([], rows, 2, room).columns).toBe(rows)
    expect(mergeColumns(none, rows, 2, room).columns).toBe(rows)
    expect(mergeColumns(rows, none, 2, room).columns).toBe(rows)
    const more = columnsOf([[2, 1, 1]])
    mergeColumns(rows, more, 2, room)
    expect([rows, more]).toEqual([columnsOf([[1, 1, 1]]), columnsOf([[2, 1, 1]])])
  })

  it('tells rows apart by their first column only, where that is the key', () => {
    const { columns, counts } = mergeColumns(
      columnsOf([[1, 1, 1]]),
      columnsOf([[1, 2, 2]]),
      1,
      new ColumnRoom(),
    )
    expect(columns).toEqual(columnsOf([[1, 2, 2]]))
    expect(counts).toEqual({ added: 0, revised: 1, unchanged: 0 })
  })
})
