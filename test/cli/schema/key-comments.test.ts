import { expect, it } from 'vitest'
import { keyComments } from '../../../src/cli/schema/key-comments.ts'

const SCHEMA = {
  properties: {
    account: { properties: { type: {}, balance: {} } },
    instruments: { additionalProperties: { properties: { fee: {} } } },
    strategies: { items: { properties: { file: {}, size: { properties: { quote: {} } }, risk: {} } } },
    parameters: { additionalProperties: { type: 'number' } },
    risk: { properties: { limits: { properties: { most: {} } } } },
  },
}

const YAML = `# What this file is.

# Who
# pays.
account:
  # spot: owns what it sells. type is a word here.
  type: spot
  balance: 1 # in quote

# By symbol.
instruments:
  # BTC/USDT:
  #   fee: 1   # of a trade

parameters: { a: 1 }
  # Nothing of note: a sentence.

strategies:
  # Where it lies.
  - file: a.ts
    # How much:
    #   quote: 100
    size: {}
    #- { file: b.ts, size: {} }
    # What bounds it.
    #risk: 1
#
# risk:
#   limits:
#     # The most of all.
#     most: 3
`

it('takes what stands above a key or behind it, also where the key is commented out', () => {
  expect(Object.fromEntries(keyComments(YAML, SCHEMA))).toEqual({
    account: 'Who pays.',
    'account.type': 'spot: owns what it sells. type is a word here.',
    'account.balance': 'in quote',
    instruments: 'By symbol.',
    'instruments.*.fee': 'of a trade',
    'strategies.[].file': 'Where it lies.',
    'strategies.[].size': 'How much: quote: 100',
    'strategies.[].risk': 'What bounds it.',
    'risk.limits.most': 'The most of all.',
  })
})
