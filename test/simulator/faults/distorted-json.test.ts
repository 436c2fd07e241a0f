import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { distortedJson, withLastEntriesRepeated } from '../../../src/simulator/faults/distorted-json.ts'

const TEXT =
  '{"id":1900000000000000001,"price":"90.50","qty":"0.000","n":0,"x":-1.5e3,"t":"a\\"7\\": 0","0":[0,"0"],"b":true}'

describe('distorted JSON', () => {
  it.each([
    [
      'numbersAsStrings',
      '{"id":"1900000000000000001","price":"90.50","qty":"0.000","n":"0","x":"-1.5e3","t":"a\\"7\\": 0","0":["0","0"],"b":true}',
    ],
    [
      'stringsAsNumbers',
      '{"id":1900000000000000001,"price":90.50,"qty":0.000,"n":0,"x":-1.5e3,"t":"a\\"7\\": 0","0":[0,0],"b":true}',
    ],
    [
      'exponentZeros',
      '{"id":1900000000000000001,"price":"90.50","qty":"0E-16","n":0E-16,"x":-1.5e3,"t":"a\\"7\\": 0","0":[0E-16,"0E-16"],"b":true}',
    ],
  ] as const)('has %s and keeps keys, texts and every digit', (distortion, expected) => {
    expect(distortedJson(TEXT, distortion)).toBe(expected)
    expect(() => JSON.parse(expected)).not.toThrow()
  })

  it('stays JSON, whatever it was', () => {
    fc.assert(
      fc.property(fc.json(), json => {
        for (const distortion of ['numbersAsStrings', 'stringsAsNumbers', 'exponentZeros'] as const) {
          JSON.parse(distortedJson(json, distortion))
        }
        JSON.parse(withLastEntriesRepeated(json))
      }),
    )
  })

  it('repeats the last entry of a list, braces in texts notwithstanding', () => {
    expect(withLastEntriesRepeated('[{"a":1},{"b":"}]\\"{"}]')).toBe(
      '[{"a":1},{"b":"}]\\"{"},{"b":"}]\\"{"}]',
    )
    expect(withLastEntriesRepeated('{"list":[{"a":1}],"bids":[["1","2"]]}')).toBe(
      '{"list":[{"a":1},{"a":1}],"bids":[["1","2"]]}',
    )
  })
})
