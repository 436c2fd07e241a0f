import { describe, expect, it } from 'vitest'
import { backtestConfigSchema } from '../../src/config/backtest-config.ts'
import { parseConfig } from '../../src/config/parse-config.ts'
import { readYamlFile } from '../../src/config/yaml-file.ts'
import { problemsOf } from '../bot/config/config-file.ts'

const problems = (...lines: readonly string[]) =>
  problemsOf(`${lines.join('\n')}\n`, path => parseConfig(readYamlFile(path), backtestConfigSchema))

const FILE = '  - file: strategies/sma-cross.ts'

describe('one sentence with file and line says what is wrong with', () => {
  it.each([
    [
      'a tab',
      ['account:', '\tbalance: { USDT: 1 }'],
      '2:2: The line is indented by a tab; indent it by spaces.',
    ],
    [
      'a tab in a list',
      ['strategies:', FILE, '\tsymbol: BTC/USDT'],
      '3:2: The line is indented by a tab; indent it by spaces.',
    ],
    [
      'a key deeper than the one above',
      ['account:', '  type: spot', '   balance: { USDT: 1 }'],
      '3:4: "balance" is indented deeper than "type" above, which has a value already; if it belongs beside "type", begin it in column 3 too.',
    ],
    [
      'keys deeper than the one of the dash',
      ['strategies:', FILE, '      symbol: BTC/USDT', '      interval: 1h'],
      '3:7: "symbol" is indented deeper than "file" above, which has a value already; if it belongs beside "file", begin it in column 5 too.',
    ],
    [
      'a key that is less deep than the one above',
      ['account:', '  type: spot', '', ' # a comment', ' balance: { USDT: 1 }'],
      '5:2: "balance" is indented less than "type" above, but belongs to no section there; if it belongs beside "type", begin it in column 3 too.',
    ],
    [
      'keys below the dash',
      ['strategies:', FILE, '  symbol: BTC/USDT', '  interval: 1h'],
      '3:3: "symbol" is indented less than "file" above, but belongs to no section there; if it belongs beside "file", begin it in column 5 too.',
    ],
    [
      'keys between the dash and the first',
      ['strategies:', FILE, '   symbol: BTC/USDT'],
      '3:4: "symbol" is indented less than "file" above, but belongs to no section there; if it belongs beside "file", begin it in column 5 too.',
    ],
    [
      'a section that is not indented',
      ['account:', 'balance: { USDT: 1 }'],
      '2:1: "balance" is unknown beside "account", which is empty; to put it inside, indent by two more spaces.',
    ],
    [
      'a section of several keys that is not indented',
      [
        'strategies:',
        FILE,
        '    symbol: BTC/USDT',
        '    interval: 1h',
        '    parameters:',
        '    fast: 3',
        '    slow: 9',
      ],
      '6:5: "fast" and "slow" are unknown beside "parameters", which is empty; to put them inside, indent by two more spaces.',
    ],
    [
      'no space after a colon',
      ['account:', '  type:spot'],
      '2:3: A space is missing after the colon of "type".',
    ],
    [
      'no space after the first colon',
      ['riskFreeRate:0.1'],
      '1:1: A space is missing after the colon of "riskFreeRate".',
    ],
    [
      'no space after the colon of a list',
      ['strategies:', '  - file:strategies/sma-cross.ts', '    symbol: BTC/USDT'],
      '2:3: A space is missing after the colon of "file".',
    ],
    [
      'no space before a brace',
      ['account:', '  balance:{ USDT: 1 }'],
      '2:3: A space is missing after the colon of "balance".',
    ],
    [
      'no space inside of braces',
      ['account:', '  balance: { USDT:1 }'],
      '2:14: A space is missing after the colon of "USDT".',
    ],
    [
      'no space after a dash',
      ['strategies:', ' -file: strategies/sma-cross.ts', '  symbol: BTC/USDT'],
      '2:2: A space is missing between the dash and "file".',
    ],
    [
      'an open brace',
      ['account:', '  balance: { USDT: 1', 'size: { base: 1 }'],
      '2:3: The { in this line is not closed by a }.',
    ],
    [
      'a list where a section is due',
      ['size:', '  - equityFraction: 0.5'],
      '2:3: size must be a section with exactly one of quote, base, equityFraction or riskFraction, such as { equityFraction: 0.1 }, but it is a list. Write its keys without dashes before them.',
    ],
    [
      'a section where a list is due',
      ['strategies:', '  file: strategies/sma-cross.ts'],
      '2:3: strategies must be a list of strategies, but it is a section. Write a dash and a space before each entry.',
    ],
    [
      'a key that is there twice',
      ['account:', '  type: spot', '  type: margin'],
      '3:3: The key "type" is given twice; remove one.',
    ],
    ['another mistake', ['account: "spot'], '2:1: This is not valid YAML: Missing closing "quote.'],
  ])('%s', (_name, lines, expected) => {
    expect(problems(...lines)).toEqual([`bot.yaml:${expected}`])
  })

  it('a value that could be a secret, without its value', () => {
    expect(problems('account:', '  apiSecret:hunter2').join()).not.toContain('hunter2')
    expect(problems('account:', '  apiSecret:hunter2', '  type: spot').join()).not.toContain('hunter2')
  })
})
