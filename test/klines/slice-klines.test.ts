import { describe, expect, it } from 'vitest'
import { sliceKlines } from '../../src/klines/slice-klines.ts'
import { klinesAt } from './klines-at.ts'

const KLINES = klinesAt([10, 20, 30, 40])

describe('sliceKlines', () => {
  it.each([
    [{}, [10, 20, 30, 40]],
    [{ from: 20 }, [20, 30, 40]],
    [{ from: 21 }, [30, 40]],
    [{ to: 30 }, [10, 20]],
    [{ to: 31 }, [10, 20, 30]],
    [{ from: 20, to: 40 }, [20, 30]],
    [{ from: 0, to: 99 }, [10, 20, 30, 40]],
    [{ from: 41 }, []],
    [{ from: 30, to: 20 }, []],
  ])('takes the klines that open within %j, the end excluded', (span, openTimes) => {
    const slice = sliceKlines(KLINES, span)
    expect([...slice.openTime]).toEqual(openTimes)
    expect([slice.length, slice.close.length]).toEqual([openTimes.length, openTimes.length])
  })
})
