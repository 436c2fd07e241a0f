import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/domain/sluice-error.ts'
import {
  boolean,
  choice,
  expectation,
  type GivenParameter,
  integer,
  number,
  parameterValues,
} from '../../src/strategy/parameters.ts'

const PARAMETERS = {
  fast: integer({ default: 20, min: 2, max: 500, description: 'Klines.' }),
  stopLoss: number({ default: 0.01, min: 0.001, max: 0.5, description: 'Fraction.' }),
  direction: choice({ default: 'long', options: ['long', 'both'], description: 'Direction.' }),
  trailing: boolean({ default: false, description: 'Whether the stop follows.' }),
}
const DEFAULTS = { fast: 20, stopLoss: 0.01, direction: 'long', trailing: false }
const valuesFor = (given: Readonly<Record<string, GivenParameter>>) =>
  parameterValues('sma-cross', PARAMETERS, given)

describe('parameters', () => {
  it('have their defaults where nothing is given', () => {
    expect(valuesFor({})).toEqual(DEFAULTS)
  })

  it.each<[string, Record<string, GivenParameter>]>([
    ['values of a file', { fast: 5, stopLoss: 0.25, direction: 'both', trailing: true }],
    ['text of a command line', { fast: '5', stopLoss: '0.25', direction: 'both', trailing: 'true' }],
    [
      'text with blanks and an exponent',
      { fast: ' 5 ', stopLoss: '25e-2', direction: 'both', trailing: 'true' },
    ],
  ])('take %s', (_name, given) => {
    expect(valuesFor(given)).toEqual({ fast: 5, stopLoss: 0.25, direction: 'both', trailing: true })
  })

  it('take their bounds, and what is false or zero', () => {
    expect(valuesFor({ fast: 2 }).fast).toBe(2)
    expect(valuesFor({ fast: 500 }).fast).toBe(500)
    expect(valuesFor({ stopLoss: '0.5' }).stopLoss).toBe(0.5)
    expect(valuesFor({ trailing: 'false' }).trailing).toBe(false)
    const zero = { offset: integer({ default: 3, min: 0, max: 9, description: 'Offset.' }) }
    expect(parameterValues('zero', zero, { offset: 0 })).toEqual({ offset: 0 })
    expect(parameterValues('zero', zero, { offset: '0' })).toEqual({ offset: 0 })
    expect(() => parameterValues('zero', zero, { offset: ' ' })).toThrow('is " ", but must be')
  })

  it('name the default where that is out of range', () => {
    const wrong = { n: integer({ default: 30, min: 1, max: 9, description: 'Number.' }) }
    expect(() => parameterValues('own', wrong, {})).toThrow(
      'The default of parameter "n" of strategy "own" is 30, but must be a whole number from 1 to 9.',
    )
    expect(parameterValues('own', wrong, { n: 5 })).toEqual({ n: 5 })
  })

  it.each<[string, GivenParameter, string]>([
    ['fast', 1, 'is 1, but must be a whole number from 2 to 500.'],
    ['fast', 501, 'is 501, but must be a whole number from 2 to 500.'],
    ['fast', 2.5, 'is 2.5, but must be a whole number from 2 to 500.'],
    ['fast', '2.5', 'is "2.5", but must be a whole number from 2 to 500.'],
    ['fast', 'many', 'is "many", but must be a whole number'],
    ['fast', '', 'is "", but must be a whole number'],
    ['fast', '  ', 'is "  ", but must be a whole number'],
    ['fast', '20 klines', 'is "20 klines", but must be a whole number'],
    ['fast', true, 'is true, but must be a whole number'],
    ['fast', Number.NaN, 'is NaN, but must be a whole number'],
    ['stopLoss', 0, 'is 0, but must be a number from 0.001 to 0.5.'],
    ['stopLoss', 0.51, 'is 0.51, but must be a number from 0.001 to 0.5.'],
    ['stopLoss', 'Infinity', 'is "Infinity", but must be a number from 0.001 to 0.5.'],
    ['stopLoss', '1%', 'is "1%", but must be a number from 0.001 to 0.5.'],
    ['direction', 'short', 'is "short", but must be one of long, both.'],
    ['direction', true, 'is true, but must be one of long, both.'],
    ['trailing', 'yes', 'is "yes", but must be true or false.'],
    ['trailing', 1, 'is 1, but must be true or false.'],
  ])('refuse for %s the value %j', (name, value, message) => {
    expect(() => valuesFor({ [name]: value })).toThrow(UsageError)
    expect(() => valuesFor({ [name]: value })).toThrow(
      `Parameter "${name}" of strategy "sma-cross" ${message}`,
    )
  })

  it.each([
    ['fsat', 'Did you mean "fast"?'],
    ['stoploss', 'Did you mean "stopLoss"?'],
    ['xyzxyz', 'Known: fast, stopLoss, direction, trailing.'],
    ['toString', 'has no parameter "toString".'],
  ])('refuse the name %s', (name, message) => {
    expect(() => valuesFor({ [name]: 1 })).toThrow(UsageError)
    expect(() => valuesFor({ [name]: 1 })).toThrow(message)
  })

  it('refuse any name where there are none', () => {
    expect(() => parameterValues('plain', {}, { fast: 1 })).toThrow(
      'Strategy "plain" has no parameter "fast". It takes none.',
    )
  })
})

describe('expectation', () => {
  it.each([
    ['fast', 'a whole number from 2 to 500'],
    ['stopLoss', 'a number from 0.001 to 0.5'],
    ['direction', 'one of long, both'],
    ['trailing', 'true or false'],
  ] as const)('of %s is %s', (name, words) => {
    expect(expectation(PARAMETERS[name])).toBe(words)
  })
})
