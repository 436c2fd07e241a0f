import { describe, expect, it } from 'vitest'
import { rateOf } from '../../src/domain/numbers/amount.ts'
import { fromJournalText, journalText } from '../../src/journal/journal-text.ts'
import { configuredProtections } from '../../src/risk/configured-protections.ts'
import { cooldownAfterStop } from '../../src/risk/protections/cooldown-after-stop.ts'
import { dailyLoss } from '../../src/risk/protections/daily-loss.ts'
import { drawdown } from '../../src/risk/protections/drawdown.ts'
import { lossesInARow } from '../../src/risk/protections/losses-in-a-row.ts'
import type { RiskFact, RiskProtection } from '../../src/risk/protections/protection.ts'
import {
  answers,
  clock,
  closed,
  DAY,
  fresh,
  funded,
  HOUR,
  marked,
  mode,
  spread,
  stale,
} from './risk-facts.ts'

describe('dailyLoss of 3%', () => {
  const rules = { rate: rateOf('0.03'), mode } as const

  it('holds until midnight once 300 of 10,000 are lost, and says so once', () => {
    const protection = dailyLoss(rules, 'account')
    const facts = [
      marked('10000', HOUR),
      marked('10200', 2 * HOUR),
      marked('9700.01', 3 * HOUR),
      marked('9700', 4 * HOUR),
      marked('9000', 5 * HOUR),
    ]
    expect(answers(protection, facts)).toEqual([undefined, undefined, undefined, DAY, undefined])
  })

  it('says how much was lost of how much', () => {
    const protection = dailyLoss({ rate: rateOf('0.03'), mode: 'halted' }, 'account')
    protection.observe(marked('10000', HOUR))
    expect(protection.observe(marked('9650', 2 * HOUR))).toEqual({
      type: 'hold',
      hold: {
        mode: 'halted',
        source: 'dailyLoss',
        reason: 'The account has lost 3.5% of the equity that the day began with; the limit is 3%.',
        since: 2 * HOUR,
        until: DAY,
      },
    })
  })

  it('says of a strategy that it has lost, and after a resume from when on its loss counts', () => {
    const protection = dailyLoss({ rate: rateOf('0.03'), mode: 'halted' }, 'strategy')
    const reasons = [
      marked('10000', HOUR),
      marked('9500', 2 * HOUR),
      'resumed',
      marked('9120', 3 * HOUR),
    ].map(fact => {
      if (typeof fact === 'string') return protection.forget()
      const change = protection.observe(fact)
      return change?.type === 'hold' ? change.hold.reason : undefined
    })
    expect(reasons).toEqual([
      undefined,
      'The strategy has lost 5% of the equity that the day began with; the limit is 3%.',
      undefined,
      // 380 of 9,500.
      'The strategy has lost 4% of the equity that there was when trading was resumed; the limit is 3%.',
    ])
  })

  it('begins every day with what the last mark of the day before was worth; midnight ends a day', () => {
    const protection = dailyLoss(rules, 'account')
    const facts = [
      marked('10000', DAY - HOUR),
      marked('9800', DAY),
      // 3% of 9800 are 294: 9506 is the bound of the new day.
      marked('9506.01', DAY + 1),
      marked('9506', DAY + HOUR),
      marked('9400', 2 * DAY),
      // 3% of 9400 are 282.
      marked('9118', 2 * DAY + HOUR),
    ]
    expect(answers(protection, facts)).toEqual([undefined, undefined, undefined, 2 * DAY, undefined, 3 * DAY])
  })

  it('counts what is lost at midnight after the close, as by a fill at the open then, to the day that begins', () => {
    const fill = { ...marked('9900', DAY), follows: true }
    // 3% of the 10,000 at the close are 300: 9700 is the bound, and not 9603, 3% below what was left after the fill.
    const facts = [marked('10000', DAY), fill, marked('9700.01', DAY + HOUR), marked('9700', DAY + 2 * HOUR)]
    expect(answers(dailyLoss(rules, 'account'), facts)).toEqual([undefined, undefined, undefined, 2 * DAY])
  })

  it('does not hold a new day for what the last moment of the old one lost', () => {
    expect(
      answers(dailyLoss(rules, 'account'), [
        marked('10000', HOUR),
        marked('9000', DAY),
        marked('8999', DAY + HOUR),
      ]),
    ).toEqual([undefined, undefined, undefined])
  })

  it('takes a withdrawal for no loss and a deposit for no profit', () => {
    const protection = dailyLoss(rules, 'account')
    // After the withdrawal the day counts as begun with 4000: 120 is too much.
    const facts = [
      marked('10000', 1),
      funded('-6000'),
      marked('4000', 2),
      marked('3880.01', 3),
      marked('3880', 4),
    ]
    expect(answers(protection, facts)).toEqual([undefined, undefined, undefined, undefined, DAY])
  })

  it('does not mind money that comes before the first mark, and resuming before it', () => {
    const protection = dailyLoss(rules, 'account')
    protection.forget()
    expect(answers(protection, [funded('5000'), marked('10000', 1), marked('9700', 2)])).toEqual([
      undefined,
      undefined,
      DAY,
    ])
  })

  it('holds nothing for an account without money that loses none', () => {
    expect(answers(dailyLoss(rules, 'account'), [marked('0', 1), marked('0', 2), marked('-1', 3)])).toEqual([
      undefined,
      undefined,
      DAY,
    ])
  })

  it('measures a strategy by its own result against the equity of the account', () => {
    const protection = dailyLoss(rules, 'account')
    const facts = [marked('10000', 1, '50'), marked('8000', 2, '-249.99'), marked('8000', 3, '-250')]
    expect(answers(protection, facts)).toEqual([undefined, undefined, DAY])
  })

  it('begins anew where it stands after somebody resumed', () => {
    const protection = dailyLoss(rules, 'account')
    answers(protection, [marked('10000', 1), marked('9700', 2)])
    protection.forget()
    expect(answers(protection, [marked('9410', 3), marked('9409', 4)])).toEqual([undefined, DAY])
  })
})

describe('drawdown of 10%', () => {
  const rules = { rate: rateOf('0.1'), mode } as const

  it('holds without end once the equity has fallen by a tenth of its highest', () => {
    const facts = [
      marked('10000', 1),
      marked('12000', 2),
      marked('10800.01', 3),
      marked('10800', 4),
      marked('10700', 5),
    ]
    expect(answers(drawdown(rules, 'account'), facts)).toEqual([
      undefined,
      undefined,
      undefined,
      'open',
      undefined,
    ])
  })

  it('holds for a time where there is one, and then counts from there', () => {
    const protection = drawdown({ ...rules, pauseMs: HOUR }, 'account')
    // From 10,800 the next tenth is 1080.
    const facts = [
      marked('12000', 0),
      marked('10800', HOUR),
      marked('9720.01', 2 * HOUR),
      marked('9720', 3 * HOUR),
    ]
    expect(answers(protection, facts)).toEqual([undefined, 2 * HOUR, undefined, 4 * HOUR])
  })

  it('takes a withdrawal for no fall', () => {
    const facts = [
      marked('10000', 1),
      funded('-5000'),
      marked('5000', 2),
      marked('4500.01', 3),
      marked('4500', 4),
    ]
    expect(answers(drawdown(rules, 'account'), facts)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'open',
    ])
  })

  it('measures a strategy by the equity of the account when its result was first at its highest', () => {
    const facts = [
      marked('10000', 1, '50'),
      marked('20000', 2, '50'),
      marked('20000', 3, '-949.99'),
      marked('20000', 4, '-950'),
    ]
    expect(answers(drawdown(rules, 'account'), facts)).toEqual([undefined, undefined, undefined, 'open'])
  })

  it('holds nothing for an account without money that loses none, nor before its first mark', () => {
    const facts = [funded('5'), marked('0', 1), marked('0', 2), marked('-1', 3)]
    expect(answers(drawdown(rules, 'account'), facts)).toEqual([undefined, undefined, undefined, 'open'])
  })

  it('begins anew where it stands after somebody resumed', () => {
    const protection = drawdown(rules, 'account')
    answers(protection, [marked('12000', 1)])
    protection.forget()
    expect(answers(protection, [marked('10000', 2), marked('9000.01', 3), marked('9000', 4)])).toEqual([
      undefined,
      undefined,
      'open',
    ])
  })

  it('says how far it fell', () => {
    const protection = drawdown(rules, 'account')
    protection.observe(marked('12000', 2))
    expect(protection.observe(marked('10500', 4))).toMatchObject({
      hold: {
        source: 'drawdown',
        reason:
          'The result of the account has fallen by 12.5% of the equity at its highest; the limit is 10%.',
      },
    })
  })
})

describe('a mark that need not wait for a kline', () => {
  it('is the first one, and each at which a daily loss or a drawdown holds', () => {
    const marks = [
      marked('10000', HOUR),
      marked('10100', 2 * HOUR),
      // 300 of 10,000 are the limit of the day, 303 of 10,100 that of the fall.
      marked('9797.01', 3 * HOUR),
      marked('9797', 4 * HOUR),
      marked('9700', 5 * HOUR),
      // The day is over; the fall began anew at 9797, of which 293.91 are 3%.
      marked('9503.09', 6 * HOUR),
      // 285.1 less: 3% of 9503.09 are 285.0927, for the new day and for the fall.
      marked('9217.99', DAY + 1),
    ]
    const rule = { rate: rateOf('0.03'), mode } as const
    const isDue = ({ observe: see, isDue: ask }: RiskProtection) =>
      marks.map(mark => [mark.type === 'marked' && ask?.(mark), see(mark)?.type].join(' '))
    const [no, first, holds] = ['false ', 'true ', 'true hold']
    expect(isDue(dailyLoss(rule, 'account'))).toEqual([first, no, no, no, holds, no, holds])
    expect(isDue(drawdown(rule, 'account'))).toEqual([first, no, no, holds, no, holds, holds])
  })
})

describe('lossesInARow of 3, for an hour', () => {
  const rules = { count: 3, pauseMs: HOUR, mode } as const

  it.each<[string, readonly string[], readonly (number | undefined)[]]>([
    ['holds after the third', ['-1', '-2', '-0.5'], [undefined, undefined, 3 + HOUR]],
    [
      'begins anew after a profit',
      ['-1', '-2', '0.01', '-1', '-1', '-1'],
      [undefined, undefined, undefined, undefined, undefined, 6 + HOUR],
    ],
    [
      'counts what is neither as no loss',
      ['-1', '-2', '0', '-1'],
      [undefined, undefined, undefined, undefined],
    ],
    [
      'counts from none after it held',
      ['-1', '-1', '-1', '-1', '-1', '-1'],
      [undefined, undefined, 3 + HOUR, undefined, undefined, 6 + HOUR],
    ],
  ])('%s', (_name, results, expected) => {
    expect(
      answers(
        lossesInARow(rules),
        results.map((pnl, index) => closed(pnl, index + 1)),
      ),
    ).toEqual(expected)
  })

  it('says how many have lost', () => {
    const protection = lossesInARow(rules)
    answers(protection, [closed('-1', 1), closed('-1', 2)])
    expect(protection.observe(closed('-1', 3))).toEqual({
      type: 'hold',
      hold: {
        mode,
        source: 'lossesInARow',
        reason: '3 trades in a row have lost.',
        since: 3,
        until: 3 + HOUR,
      },
    })
  })

  it('counts from none after somebody resumed', () => {
    const protection = lossesInARow(rules)
    answers(protection, [closed('-1', 1), closed('-1', 2)])
    protection.forget()
    expect(answers(protection, [closed('-1', 3)])).toEqual([undefined])
  })
})

it.each([
  ['stopLoss', 'A stop-loss has traded.'],
  ['trailingStop', 'A trailing stop has traded.'],
  ['liquidation', 'The exchange has taken a position over.'],
  ['outsideClose', 'A position was closed outside the bot.'],
] as const)('cooldownAfterStop says of a %s: %s', (purpose, reason) => {
  expect(cooldownAfterStop({ pauseMs: HOUR, mode }).observe({ type: 'exited', purpose, time: 5 })).toEqual({
    type: 'hold',
    hold: { mode, source: 'cooldownAfterStop', reason, since: 5, until: 5 + HOUR },
  })
})

it('cooldownAfterStop holds after stop-losses and trailing stops, and after no other exit', () => {
  const protection = cooldownAfterStop({ pauseMs: HOUR, mode })
  const purposes = ['exit', 'stopLoss', 'takeProfit', 'trailingStop', 'operator'] as const
  const facts = purposes.map((purpose, index): RiskFact => ({ type: 'exited', purpose, time: index }))
  expect(answers(protection, facts)).toEqual([undefined, 1 + HOUR, undefined, 3 + HOUR, undefined])
})

it('every protection goes on from its snapshot, as JSON, as if nothing had happened', () => {
  const rules = {
    dailyLoss: { rate: rateOf('0.03'), mode },
    drawdown: { rate: rateOf('0.1'), mode },
    lossesInARow: { count: 3, pauseMs: HOUR, mode },
    cooldownAfterStop: { pauseMs: HOUR, mode },
    staleData: { gapPauseMs: 10, mode },
    clockUncertainty: { maxMs: 5, mode },
    spread: { maxRate: 0.1, mode },
  } as const
  const before = [marked('10000', 1), closed('-1', 2), stale('a', 3), clock(9), spread(1)]
  const after = [
    fresh('a', 4),
    clock(1),
    spread(0),
    closed('-1', 5),
    closed('-1', 5),
    marked('9700', 6),
    marked('9000', 7),
  ]
  const straight = configuredProtections(rules, 'account')
  const stopped = configuredProtections(rules, 'account')
  const resumed = configuredProtections(rules, 'account')
  expect(straight.map(({ name }) => name)).toEqual(Object.keys(rules))
  for (const [index, protection] of straight.entries()) {
    answers(protection, before)
    answers(stopped[index] ?? protection, before)
    resumed[index]?.restore(
      fromJournalText(journalText({ state: stopped[index]?.snapshot() }))?.['state' as never],
    )
    expect(answers(resumed[index] ?? protection, after)).toEqual(answers(protection, after))
  }
})
