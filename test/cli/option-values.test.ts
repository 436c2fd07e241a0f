import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  assignmentOption,
  durationOption,
  positiveNumberOption,
  timeOption,
  wholeNumberOption,
} from '../../src/cli/option-values.ts'

describe('durationOption', () => {
  it.each([
    ['500ms', 500],
    ['60s', 60_000],
    ['1.5s', 1500],
    ['5m', 300_000],
    ['1h', 3_600_000],
  ])('reads %s as %i ms', (text, ms) => {
    expect(durationOption(text)).toBe(ms)
  })

  it.each(['', '5', '0s', '-1s', '5 s', '5d', 's', '1e3s'])('refuses "%s"', text => {
    expect(() => durationOption(text)).toThrow('Give a duration above 0 with its unit')
  })
})

describe('timeOption', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it.each([
    ['2018-01-31', '2018-01-31T00:00:00.000Z'],
    ['2018-01-31T08:30', '2018-01-31T08:30:00.000Z'],
    ['2018-01-31T08:30Z', '2018-01-31T08:30:00.000Z'],
    ['2018-01-31T08:30:15.25', '2018-01-31T08:30:15.250Z'],
    ['1517387400000', '2018-01-31T08:30:00.000Z'],
  ])('reads %s as UTC, wherever it runs', (text, iso) => {
    vi.stubEnv('TZ', 'America/New_York')
    expect(new Date(2018, 0, 1).getUTCHours()).toBe(5)
    expect(new Date(timeOption(text)).toISOString()).toBe(iso)
  })

  it.each([
    '',
    '2018',
    '2018-02-31',
    '2018-13-01',
    '20180131',
    '31.1.2018',
    '2018-01-31T25:00',
    '2018-01-31T08:30+02:00',
  ])('refuses "%s"', text => {
    expect(() => timeOption(text)).toThrow('Give an ISO date or time in UTC')
  })
})

describe('assignmentOption', () => {
  it('collects names and values, of which only the first = divides', () => {
    expect(assignmentOption('b=x=y', assignmentOption('a='))).toEqual({ a: '', b: 'x=y' })
  })

  it.each(['a', '=1', 'a b=1'])('refuses "%s"', text => {
    expect(() => assignmentOption(text)).toThrow('Write name=value')
  })
})

describe('wholeNumberOption and positiveNumberOption', () => {
  it('take what they promise', () => {
    expect([wholeNumberOption(0, 9)('9'), wholeNumberOption(0)('0'), positiveNumberOption('0.5')]).toEqual([
      9, 0, 0.5,
    ])
  })

  it.each(['10', '-1', '1.5', '', ' ', '0x1', '1e0'])('a whole number from 0 to 9 is not "%s"', text => {
    expect(() => wholeNumberOption(0, 9)(text)).toThrow('Give a whole number from 0 to 9.')
  })

  it.each(['0', '-1', '', ' ', 'fast', 'Infinity'])('a number above 0 is not "%s"', text => {
    expect(() => positiveNumberOption(text)).toThrow('Give a number above 0.')
  })
})
